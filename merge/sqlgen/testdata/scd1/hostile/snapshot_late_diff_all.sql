-- What a snapshot changes, or may have to change when late events come. Parameter $1: its version.
INSERT INTO "pg_temp"."events_8" ("k""1", "select", "__seq", "__kind", "__missing", "__flow")
SELECT d."k""1", d."select", CAST($1 AS "my""s"."Größe%s__sequence"), d."__kind", CASE WHEN d."__kind" = 'u' THEN CAST('001' AS varbit) END, ''
FROM (
  SELECT s."k""1", s."select", 'u' AS "__kind"
  FROM "autocdc"."snapshot_3" AS s
  UNION ALL
  SELECT g."k""1", g."select", 'd'
  FROM "pg_temp"."gone_8" AS g
) AS d
