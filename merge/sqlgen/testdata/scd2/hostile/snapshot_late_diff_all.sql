-- What a snapshot changes, or may have to change when late events come. Parameter $1: its version.
INSERT INTO "pg_temp"."events_8" ("k""1", "select", "__seq", "__kind", "__missing", "__flow")
SELECT d."k""1", d."select", CAST($1 AS "my""s"."Größe%s__sequence"), d."__kind", CASE WHEN d."__kind" = 'u' THEN CAST('001' AS varbit) END, ''
FROM (
  SELECT COALESCE(s."k""1", t."k""1") AS "k""1", COALESCE(s."select", t."select") AS "select", CASE WHEN s."k""1" IS NULL THEN 'd' ELSE 'u' END AS "__kind"
  FROM "autocdc"."snapshot_3" AS s
  FULL JOIN (
    SELECT t."k""1", t."select"
    FROM "my""s"."Größe%s" AS t
    WHERE t."__start_at" <= CAST($1 AS "my""s"."Größe%s__sequence") AND (t."__end_at" IS NULL OR t."__end_at" > CAST($1 AS "my""s"."Größe%s__sequence"))
  ) AS t ON s."k""1" = t."k""1" AND s."select" = t."select"
  WHERE true
) AS d
