-- Where no key has two events: what each does to its key, open rows that end, and new versions. One row goes through
-- all of it before the next, since its page of the primary key is at hand then. Only what is not done here is kept as a step.
WITH bound AS MATERIALIZED (
  -- The least newest start of a few keys: sought from it on, a newest row costs no look at the older ones on its index page.
  SELECT o."__start_at"
  FROM (SELECT x."id" FROM "pg_temp"."events_7" AS x LIMIT 100) AS s
  CROSS JOIN LATERAL (
    SELECT n."__start_at" FROM "crm"."users" AS n WHERE n."id" = s."id" ORDER BY n."__start_at" DESC LIMIT 1
  ) AS o
  ORDER BY o."__start_at"
  LIMIT 1
), single AS MATERIALIZED (
  SELECT e."id", e."name", e."city", e."__n", e."__seq",
    CASE
      WHEN e."__kind" = 'd' THEN CASE WHEN (r."__row_id" IS NOT NULL AND r."__end_at" IS NULL) THEN 'd' ELSE '-' END
      WHEN (r."__row_id" IS NOT NULL AND r."__end_at" IS NULL) AND record_image_eq(ROW(e."id", e."name", e."city"), ROW(r."id", r."name", r."city")) THEN '='
      ELSE 'u'
    END AS "__what",
    CASE WHEN r."__end_at" IS NULL THEN r."__row_id" END AS "__row_id",
    true AS "__late"
  FROM (
    SELECT DISTINCT ON (x."id") x.*
    FROM "pg_temp"."events_7" AS x
    ORDER BY x."id", x."__n" DESC
  ) AS e
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
) AS r ON true
  WHERE e."__kind" <> 't'
), step AS (
  INSERT INTO "pg_temp"."step_7" ("__n", "__grp", "__seq", "__what", "__row_id", "__late")
  SELECT s."__n", s."__n", s."__seq", s."__what", s."__row_id", s."__late"
  FROM single AS s
  WHERE s."__late" OR s."__what" IN ('=', '-')
), closed AS (
  UPDATE "crm"."users" AS t
  SET "__end_at" = s."__seq"
  FROM single AS s
  WHERE t.ctid = s."__row_id" AND s."__what" IN ('u', 'd') AND NOT s."__late"
  RETURNING s."id", s."name", s."city", s."__seq", s."__what"
)
INSERT INTO "crm"."users" ("id", "name", "city", "__start_at")
SELECT c."id", c."name", c."city", c."__seq"
FROM closed AS c
WHERE c."__what" = 'u'
UNION ALL
SELECT s."id", s."name", s."city", s."__seq"
FROM single AS s
WHERE s."__what" = 'u' AND s."__row_id" IS NULL AND NOT s."__late"
