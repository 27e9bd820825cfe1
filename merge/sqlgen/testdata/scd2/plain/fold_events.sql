-- All events of the late keys from their bases on, in order.
INSERT INTO "pg_temp"."fold_7" ("__pos", "__grp", "__seq", "__kind", "__missing", "__flow", "__floor", "id", "name", "city")
SELECT row_number() OVER (ORDER BY x."__grp", x."__seq", x."__flow" NULLS FIRST, x."__staged", x."__n"),
  x."__grp", x."__seq", x."__kind", x."__missing", x."__flow", x."__floor", x."id", x."name", x."city"
FROM (
  -- what the batch brings
  SELECT l."__grp", e."__seq" AS "__seq", true AS "__staged", e."__n" AS "__n", e."__kind" AS "__kind", e."__missing" AS "__missing", e."__flow" AS "__flow", false AS "__floor", e."id", e."name", e."city"
  FROM "pg_temp"."late_7" AS l
  JOIN "pg_temp"."events_7" AS e ON e."id" = l."id"
  WHERE e."__kind" <> 't'
  UNION ALL
  -- what the shadow remembers; of the base the whole state counts
  SELECT l."__grp", h."__seq", false, 1, h."__kind", CASE WHEN h."__seq" <> l."__base" OR l."__base" IS NULL THEN CAST(h."__missing" AS bit(3)) END, h."__flow", false, h."id", h."name", h."city"
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
  -- the starts of the target
  SELECT l."__grp", t."__start_at", false, 1, 'u', NULL, NULL, false, t."id", t."name", t."city"
  FROM "pg_temp"."late_7" AS l
  CROSS JOIN LATERAL (
    -- by the index, whatever the statistics say: the rows of the key from its base on
    SELECT t.ctid AS "__row_id", t."__start_at", t."__end_at", t."id", t."name", t."city"
    FROM "crm"."users" AS t
    WHERE t."id" = l."id" AND t."__start_at" >= l."__base"
    UNION ALL
    SELECT t.ctid, t."__start_at", t."__end_at", t."id", t."name", t."city"
    FROM "crm"."users" AS t
    WHERE t."id" = l."id" AND l."__base" IS NULL
  ) AS t
  WHERE (SELECT true FROM "autocdc"."shadow_7" AS h WHERE h."id" = t."id" AND h."__seq" = t."__start_at" LIMIT 1) IS NULL
  UNION ALL
  -- and their ends, where none starts
  SELECT l."__grp", t."__end_at", false, 0, 'd', NULL, NULL, false, t."id", t."name", t."city"
  FROM "pg_temp"."late_7" AS l
  CROSS JOIN LATERAL (
    -- by the index, whatever the statistics say: the rows of the key from its base on
    SELECT t.ctid AS "__row_id", t."__start_at", t."__end_at", t."id", t."name", t."city"
    FROM "crm"."users" AS t
    WHERE t."id" = l."id" AND t."__start_at" >= l."__base"
    UNION ALL
    SELECT t.ctid, t."__start_at", t."__end_at", t."id", t."name", t."city"
    FROM "crm"."users" AS t
    WHERE t."id" = l."id" AND l."__base" IS NULL
  ) AS t
  WHERE t."__end_at" IS NOT NULL
    AND (SELECT true FROM "crm"."users" AS n WHERE n."id" = t."id" AND n."__start_at" = t."__end_at" LIMIT 1) IS NULL
    AND (SELECT true FROM "autocdc"."shadow_7" AS h WHERE h."id" = t."id" AND h."__seq" = t."__end_at" LIMIT 1) IS NULL
  UNION ALL
  -- truncates that are remembered
  SELECT l."__grp", f."__seq", false, 0, 'd', NULL, f."__flow", true, l."id", NULL, NULL
  FROM "pg_temp"."late_7" AS l
  JOIN "autocdc"."floor_7" AS f ON l."__base" IS NULL OR f."__seq" > l."__base"
  WHERE NOT f."__snapshot"
  UNION ALL
  -- snapshots at and after each event of the batch: the row as it was then, or the delete of a key that it lacked
  SELECT e."__grp", f."__seq", false, 0, CAST(CASE WHEN t."__start_at" IS NULL THEN 'd' ELSE 'u' END AS "char"), NULL, NULL, t."__start_at" IS NULL, COALESCE(t."id", e."id"), t."name", t."city"
  FROM (
    SELECT l."__grp", l."id", x."__seq" AS "__seq"
    FROM "pg_temp"."late_7" AS l
    JOIN "pg_temp"."events_7" AS x ON x."id" = l."id"
    WHERE x."__kind" <> 't'
  ) AS e
  CROSS JOIN LATERAL (
    SELECT y."__seq" FROM "autocdc"."floor_7" AS y WHERE y."__snapshot" AND y."__seq" >= e."__seq" ORDER BY y."__seq" LIMIT 2
  ) AS f
  LEFT JOIN LATERAL (
    SELECT v."__start_at", v."id", v."name", v."city"
    FROM "crm"."users" AS v
    WHERE v."id" = e."id" AND v."__start_at" <= f."__seq" AND (v."__end_at" IS NULL OR v."__end_at" > f."__seq")
    ORDER BY v."__start_at" DESC
    LIMIT 1
  ) AS t ON true
  WHERE t."__start_at" IS DISTINCT FROM f."__seq"
    AND (SELECT true FROM "autocdc"."shadow_7" AS h WHERE h."id" = e."id" AND h."__seq" = f."__seq" LIMIT 1) IS NULL
) AS x
