-- What a snapshot changes, where nothing can be later than it. Parameter $1: its version.
INSERT INTO "pg_temp"."events_7" ("id", "name", "city", "__seq", "__kind", "__missing", "__grp", "__n")
SELECT d."id", d."name", d."city", CAST($1 AS bigint), d."__kind", NULL, row_number() OVER (), row_number() OVER ()
FROM (
  SELECT COALESCE(s."id", t."id") AS "id", s."name", s."city", CASE WHEN s."id" IS NULL THEN 'd' ELSE 'u' END AS "__kind"
  FROM "autocdc"."snapshot_3" AS s
  FULL JOIN (
    SELECT t."id", t."name", t."city", t."__start_at" FROM "crm"."users" AS t WHERE t."__end_at" IS NULL
  ) AS t ON s."id" = t."id"
  WHERE (s."id" IS NULL OR t."id" IS NULL OR NOT record_image_eq(ROW(s."id", s."name", s."city"), ROW(t."id", t."name", t."city")))
    -- a change at the very version wins
    AND t."__start_at" IS DISTINCT FROM CAST($1 AS bigint)
) AS d
