-- What each event does to its key: u starts a version, d ends one, = continues one, - does nothing.
WITH bound AS MATERIALIZED (
  -- The least newest start of a few keys: sought from it on, a newest row costs no look at the older ones on its index page.
  SELECT o."__start_at"
  FROM (SELECT x."k""1", x."select" FROM "pg_temp"."events_8" AS x LIMIT 100) AS s
  CROSS JOIN LATERAL (
    SELECT n."__start_at" FROM "my""s"."Größe%s" AS n WHERE n."k""1" = s."k""1" AND n."select" = s."select" ORDER BY n."__start_at" DESC LIMIT 1
  ) AS o
  ORDER BY o."__start_at"
  LIMIT 1
)
INSERT INTO "pg_temp"."step_8" ("__n", "__grp", "__seq", "__what", "__row_id", "__late")
SELECT e."__n", e."__grp", e."__seq",
  CASE
    WHEN e."__kind" = 'd' THEN CASE WHEN CASE WHEN e."__prev" IS NULL THEN r."__row_id" IS NOT NULL AND r."__end_at" IS NULL ELSE p."__kind" = 'u' END THEN 'd' ELSE '-' END
    WHEN CASE WHEN e."__prev" IS NULL THEN r."__row_id" IS NOT NULL AND r."__end_at" IS NULL ELSE p."__kind" = 'u' END AND CASE
      WHEN e."__prev" IS NULL THEN record_image_eq(ROW(e."Größe"), ROW(r."Größe"))
      ELSE record_image_eq(ROW(e."Größe"), ROW(p."Größe"))
    END THEN '='
    ELSE 'u'
  END,
  CASE WHEN r."__end_at" IS NULL THEN r."__row_id" END,
  false
FROM "pg_temp"."events_8" AS e
LEFT JOIN "pg_temp"."events_8" AS p ON p."__n" = e."__prev"
LEFT JOIN LATERAL (
  (
    SELECT t.ctid AS "__row_id", t."__start_at", t."__end_at", t."k""1", t."select", t."Größe" FROM "my""s"."Größe%s" AS t
    WHERE t."k""1" = e."k""1" AND t."select" = e."select" AND t."__start_at" >= (SELECT b."__start_at" FROM bound AS b)
    ORDER BY t."__start_at" DESC
    LIMIT 1
  )
  UNION ALL
  (
    SELECT t.ctid AS "__row_id", t."__start_at", t."__end_at", t."k""1", t."select", t."Größe" FROM "my""s"."Größe%s" AS t
    WHERE t."k""1" = e."k""1" AND t."select" = e."select"
    ORDER BY t."__start_at" DESC
    LIMIT 1
  )
  LIMIT 1
) AS r ON e."__prev" IS NULL
