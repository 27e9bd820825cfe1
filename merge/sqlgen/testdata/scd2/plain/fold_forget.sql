DELETE FROM "autocdc"."shadow_7" AS d
USING "pg_temp"."late_7" AS l
CROSS JOIN LATERAL (
  SELECT h.ctid AS "__row_id" FROM "autocdc"."shadow_7" AS h WHERE h."id" = l."id" AND h."__seq" > l."__base"
  UNION ALL
  SELECT h.ctid FROM "autocdc"."shadow_7" AS h WHERE h."id" = l."id" AND l."__base" IS NULL
) AS h
WHERE d.ctid = h."__row_id"
