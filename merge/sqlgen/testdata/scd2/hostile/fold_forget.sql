DELETE FROM "autocdc"."shadow_8" AS d
USING "pg_temp"."late_8" AS l
CROSS JOIN LATERAL (
  SELECT h.ctid AS "__row_id" FROM "autocdc"."shadow_8" AS h WHERE h."k""1" = l."k""1" AND h."select" = l."select" AND h."__seq" > l."__base"
  UNION ALL
  SELECT h.ctid FROM "autocdc"."shadow_8" AS h WHERE h."k""1" = l."k""1" AND h."select" = l."select" AND l."__base" IS NULL
) AS h
WHERE d.ctid = h."__row_id"
