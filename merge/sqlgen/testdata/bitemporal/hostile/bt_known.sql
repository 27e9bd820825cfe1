-- All events of the keys from their bases on, in order.
INSERT INTO "pg_temp"."known_8" ("__pos", "__grp", "__seq", "__sys", "__kind", "__missing", "__flow", "k""1", "select", "Größe")
SELECT row_number() OVER (ORDER BY x."__grp", x."__seq", x."__sys", x."__flow" NULLS FIRST, x."__batch" NULLS LAST, x."__arrival"),
  x."__grp", x."__seq", x."__sys", x."__kind", x."__missing", x."__flow", x."k""1", x."select", x."Größe"
FROM (
  -- what the batch brings
  SELECT l."__grp", e."__seq" AS "__seq", e."__sys" AS "__sys", NULL::bigint AS "__batch", e."__n" AS "__arrival", e."__kind" AS "__kind", e."__missing" AS "__missing", e."__flow" AS "__flow", e."k""1", e."select", e."Größe"
  FROM "pg_temp"."late_8" AS l
  JOIN "pg_temp"."events_8" AS e ON e."k""1" = l."k""1" AND e."select" = l."select"
  WHERE e."__kind" <> 't'
  UNION ALL
  -- what the shadow remembers, which is everything that came
  SELECT l."__grp", h."__seq", h."__sys", h."__batch", h."__arrival", h."__kind", CAST(h."__missing" AS bit(3)), h."__flow", h."k""1", h."select", h."Größe"
  FROM "pg_temp"."late_8" AS l
  CROSS JOIN LATERAL (
    SELECT h.*
    FROM "autocdc"."shadow_8" AS h
    WHERE h."k""1" = l."k""1" AND h."select" = l."select" AND h."__seq" >= l."__base"
    UNION ALL
    SELECT h.*
    FROM "autocdc"."shadow_8" AS h
    WHERE h."k""1" = l."k""1" AND h."select" = l."select" AND l."__base" IS NULL
  ) AS h
  UNION ALL
  -- the row of the base, should its event be forgotten
  SELECT l."__grp", t."__start_at", t."__system_start_at", 0, 0, 'u', NULL, NULL, t."k""1", t."select", t."Größe"
  FROM "pg_temp"."late_8" AS l
  JOIN "my""s"."Größe%s" AS t ON t."k""1" = l."k""1" AND t."select" = l."select" AND t."__start_at" = l."__base" AND t."__system_start_at" <= l."__sys" AND t."__system_end_at" IS NULL
  WHERE (SELECT true FROM "autocdc"."shadow_8" AS h WHERE h."k""1" = t."k""1" AND h."select" = t."select" AND h."__seq" = t."__start_at" LIMIT 1) IS NULL
  UNION ALL
  -- truncates that are remembered
  SELECT l."__grp", f."__seq", f."__sys", f."__batch", f."__arrival", 'd', NULL, f."__flow", l."k""1", l."select", NULL
  FROM "pg_temp"."late_8" AS l
  JOIN "autocdc"."floor_8" AS f ON l."__base" IS NULL OR f."__seq" > l."__base"
) AS x
