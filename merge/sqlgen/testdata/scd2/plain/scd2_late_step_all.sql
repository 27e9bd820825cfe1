-- The same for events that may be late. A key is late if the batch reaches back to or before something known of it.
WITH bound AS MATERIALIZED (
  -- The least newest start of a few keys: sought from it on, a newest row costs no look at the older ones on its index page.
  SELECT o."__start_at"
  FROM (SELECT x."id" FROM "pg_temp"."events_7" AS x LIMIT 100) AS s
  CROSS JOIN LATERAL (
    SELECT n."__start_at" FROM "crm"."users" AS n WHERE n."id" = s."id" ORDER BY n."__start_at" DESC LIMIT 1
  ) AS o
  ORDER BY o."__start_at"
  LIMIT 1
)
INSERT INTO "pg_temp"."step_7" ("__n", "__grp", "__seq", "__what", "__row_id", "__late")
SELECT c."__n", c."__grp", c."__seq", c."__what", c."__row_id", bool_or(c."__late") OVER (PARTITION BY c."__grp")
FROM (
  SELECT e."__n" AS "__n", l."__grp", l."__seq",
    CASE
      WHEN e."__kind" = 'd' THEN CASE WHEN CASE WHEN l."__prev" IS NULL THEN r."__row_id" IS NOT NULL AND r."__end_at" IS NULL ELSE p."__kind" = 'u' END THEN 'd' ELSE '-' END
      WHEN CASE WHEN l."__prev" IS NULL THEN r."__row_id" IS NOT NULL AND r."__end_at" IS NULL ELSE p."__kind" = 'u' END AND CASE
        WHEN l."__prev" IS NULL THEN record_image_eq(ROW(e."id", e."name", e."city"), ROW(r."id", r."name", r."city"))
        ELSE record_image_eq(ROW(e."id", e."name", e."city"), ROW(p."id", p."name", p."city"))
      END THEN '='
      ELSE 'u'
    END AS "__what",
    CASE WHEN r."__end_at" IS NULL THEN r."__row_id" END AS "__row_id",
    COALESCE(r."__start_at" >= l."__seq" OR r."__end_at" >= l."__seq", false)
      OR l."__partial"
      OR l."__prev" IS NULL AND (
        true OR
        COALESCE((SELECT f."__seq" FROM "autocdc"."floor_7" AS f ORDER BY f."__seq" DESC LIMIT 1) >= l."__seq", false)
        OR EXISTS (SELECT FROM "autocdc"."shadow_7" AS h WHERE h."id" = e."id" AND h."__seq" >= l."__seq")
      ) AS "__late"
  FROM (
    SELECT x."__n", x."__seq", x."__partial",
      first_value(x."__n") OVER same_key AS "__grp",
      lag(x."__n") OVER same_key AS "__prev"
    FROM (
      SELECT DISTINCT ON (y."id", y."__seq") y."__n" AS "__n", y."__seq" AS "__seq", y."id",
        y."__missing" IS NOT NULL AS "__partial"
      FROM "pg_temp"."events_7" AS y
      WHERE y."__kind" <> 't'
      ORDER BY y."id", y."__seq", y."__flow" DESC NULLS LAST, y."__n" DESC
    ) AS x
    WINDOW same_key AS (PARTITION BY x."id" ORDER BY x."__seq")
  ) AS l
  JOIN "pg_temp"."events_7" AS e ON e."__n" = l."__n"
  LEFT JOIN "pg_temp"."events_7" AS p ON p."__n" = l."__prev"
  LEFT JOIN LATERAL (
  (
    SELECT t.ctid AS "__row_id", t."__start_at", t."__end_at", t."id", t."name", t."city" FROM "crm"."users" AS t
    WHERE t."id" = e."id" AND t."__start_at" >= (SELECT b."__start_at" FROM bound AS b)
    ORDER BY t."__start_at" DESC
    LIMIT 1
  )
  UNION ALL
  (
    SELECT t.ctid AS "__row_id", t."__start_at", t."__end_at", t."id", t."name", t."city" FROM "crm"."users" AS t
    WHERE t."id" = e."id"
    ORDER BY t."__start_at" DESC
    LIMIT 1
  )
  LIMIT 1
) AS r ON l."__prev" IS NULL
) AS c
