-- All events of the keys from their bases on, in order.
INSERT INTO "pg_temp"."known_7" ("__pos", "__grp", "__seq", "__sys", "__kind", "__missing", "__flow", "id", "name", "city")
SELECT row_number() OVER (ORDER BY x."__grp", x."__seq", x."__sys", x."__flow" NULLS FIRST, x."__batch" NULLS LAST, x."__arrival"),
  x."__grp", x."__seq", x."__sys", x."__kind", x."__missing", x."__flow", x."id", x."name", x."city"
FROM (
  -- what the batch brings
  SELECT l."__grp", e."__seq" AS "__seq", e."__sys" AS "__sys", NULL::bigint AS "__batch", e."__n" AS "__arrival", e."__kind" AS "__kind", e."__missing" AS "__missing", e."__flow" AS "__flow", e."id", e."name", e."city"
  FROM "pg_temp"."late_7" AS l
  JOIN "pg_temp"."events_7" AS e ON e."id" = l."id"
  WHERE e."__kind" <> 't'
  UNION ALL
  -- what the shadow remembers, which is everything that came
  SELECT l."__grp", h."__seq", h."__sys", h."__batch", h."__arrival", h."__kind", CAST(h."__missing" AS bit(3)), h."__flow", h."id", h."name", h."city"
  FROM "pg_temp"."late_7" AS l
  CROSS JOIN LATERAL (
    SELECT h.*
    FROM "autocdc"."shadow_7" AS h
    WHERE h."id" = l."id" AND h."__seq" >= l."__base"
    UNION ALL
    SELECT h.*
    FROM "autocdc"."shadow_7" AS h
    WHERE h."id" = l."id" AND l."__base" IS NULL
  ) AS h
  UNION ALL
  -- the row of the base, should its event be forgotten
  SELECT l."__grp", t."__start_at", t."__system_start_at", 0, 0, 'u', NULL, NULL, t."id", t."name", t."city"
  FROM "pg_temp"."late_7" AS l
  JOIN "crm"."users" AS t ON t."id" = l."id" AND t."__start_at" = l."__base" AND t."__system_start_at" <= l."__sys" AND t."__system_end_at" IS NULL
  WHERE (SELECT true FROM "autocdc"."shadow_7" AS h WHERE h."id" = t."id" AND h."__seq" = t."__start_at" LIMIT 1) IS NULL
  UNION ALL
  -- truncates that are remembered
  SELECT l."__grp", f."__seq", f."__sys", f."__batch", f."__arrival", 'd', NULL, f."__flow", l."id", NULL, NULL
  FROM "pg_temp"."late_7" AS l
  JOIN "autocdc"."floor_7" AS f ON l."__base" IS NULL OR f."__seq" > l."__base"
  UNION ALL
  -- and those of the batch
  SELECT l."__grp", e."__seq", e."__sys", NULL, e."__n", 'd', NULL, e."__flow", l."id", NULL, NULL
  FROM "pg_temp"."late_7" AS l
  CROSS JOIN "pg_temp"."events_7" AS e
  WHERE e."__kind" = 't'
) AS x
