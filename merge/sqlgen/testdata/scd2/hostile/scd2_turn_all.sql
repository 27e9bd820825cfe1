-- Where no key has two events: what each does to its key, open rows that end, and new versions. One row goes through
-- all of it before the next, since its page of the primary key is at hand then. Only what is not done here is kept as a step.
WITH bound AS MATERIALIZED (
  -- The least newest start of a few keys: sought from it on, a newest row costs no look at the older ones on its index page.
  SELECT o."__start_at"
  FROM (SELECT x."k""1", x."select" FROM "pg_temp"."events_8" AS x LIMIT 100) AS s
  CROSS JOIN LATERAL (
    SELECT n."__start_at" FROM "my""s"."Größe%s" AS n WHERE n."k""1" = s."k""1" AND n."select" = s."select" ORDER BY n."__start_at" DESC LIMIT 1
  ) AS o
  ORDER BY o."__start_at"
  LIMIT 1
), single AS MATERIALIZED (
  SELECT e."k""1", e."select", e."Größe", e."__n", e."__seq",
    CASE
      WHEN e."__kind" = 'd' THEN CASE WHEN (r."__row_id" IS NOT NULL AND r."__end_at" IS NULL) THEN 'd' ELSE '-' END
      WHEN (r."__row_id" IS NOT NULL AND r."__end_at" IS NULL) AND record_image_eq(ROW(e."Größe"), ROW(r."Größe")) THEN '='
      ELSE 'u'
    END AS "__what",
    CASE WHEN r."__end_at" IS NULL THEN r."__row_id" END AS "__row_id",
    true AS "__late"
  FROM (
    SELECT DISTINCT ON (x."k""1", x."select") x.*
    FROM "pg_temp"."events_8" AS x
    ORDER BY x."k""1", x."select", x."__n" DESC
  ) AS e
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
) AS r ON true
  WHERE e."__kind" <> 't'
), step AS (
  INSERT INTO "pg_temp"."step_8" ("__n", "__grp", "__seq", "__what", "__row_id", "__late")
  SELECT s."__n", s."__n", s."__seq", s."__what", s."__row_id", s."__late"
  FROM single AS s
), closed AS (
  UPDATE "my""s"."Größe%s" AS t
  SET "__end_at" = s."__seq"
  FROM single AS s
  WHERE t.ctid = s."__row_id" AND s."__what" IN ('u', 'd') AND NOT s."__late"
  RETURNING s."k""1", s."select", s."Größe", s."__seq", s."__what"
)
INSERT INTO "my""s"."Größe%s" ("k""1", "select", "Größe", "__start_at")
SELECT c."k""1", c."select", c."Größe", c."__seq"
FROM closed AS c
WHERE c."__what" = 'u'
UNION ALL
SELECT s."k""1", s."select", s."Größe", s."__seq"
FROM single AS s
WHERE s."__what" = 'u' AND s."__row_id" IS NULL AND NOT s."__late"
