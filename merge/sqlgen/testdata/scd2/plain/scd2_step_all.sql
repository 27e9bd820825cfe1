-- What each event does to its key: u starts a version, d ends one, = continues one, - does nothing.
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
SELECT e."__n", e."__grp", e."__seq",
  CASE
    WHEN e."__kind" = 'd' THEN CASE WHEN CASE WHEN e."__prev" IS NULL THEN r."__row_id" IS NOT NULL AND r."__end_at" IS NULL ELSE p."__kind" = 'u' END THEN 'd' ELSE '-' END
    WHEN CASE WHEN e."__prev" IS NULL THEN r."__row_id" IS NOT NULL AND r."__end_at" IS NULL ELSE p."__kind" = 'u' END AND CASE
      WHEN e."__prev" IS NULL THEN record_image_eq(ROW(e."id", e."name", e."city"), ROW(r."id", r."name", r."city"))
      ELSE record_image_eq(ROW(e."id", e."name", e."city"), ROW(p."id", p."name", p."city"))
    END THEN '='
    ELSE 'u'
  END,
  CASE WHEN r."__end_at" IS NULL THEN r."__row_id" END,
  false
FROM "pg_temp"."events_7" AS e
LEFT JOIN "pg_temp"."events_7" AS p ON p."__n" = e."__prev"
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
) AS r ON e."__prev" IS NULL
