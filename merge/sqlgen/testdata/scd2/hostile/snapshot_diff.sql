-- What a snapshot changes, where nothing can be later than it. Parameter $1: its version.
INSERT INTO "pg_temp"."events_8" ("k""1", "select", "Größe", "__seq", "__kind", "__missing", "__grp", "__n")
SELECT d."k""1", d."select", d."Größe", CAST($1 AS "my""s"."Größe%s__sequence"), d."__kind", NULL, row_number() OVER (), row_number() OVER ()
FROM (
  SELECT s."k""1", s."select", s."Größe", 'u' AS "__kind"
  FROM "pg_temp"."changed_8" AS s
  -- a change at the very version wins
  WHERE s."__at" IS DISTINCT FROM CAST($1 AS "my""s"."Größe%s__sequence")
  UNION ALL
  SELECT g."k""1", g."select", NULL, 'd'
  FROM "pg_temp"."gone_8" AS g
  WHERE g."__at" IS DISTINCT FROM CAST($1 AS "my""s"."Größe%s__sequence")
) AS d
