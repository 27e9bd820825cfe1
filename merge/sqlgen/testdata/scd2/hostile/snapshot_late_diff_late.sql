-- What a snapshot changes, or may have to change when late events come. Parameter $1: its version.
INSERT INTO "pg_temp"."events_8" ("k""1", "select", "Größe", "__seq", "__kind", "__missing", "__flow")
SELECT d."k""1", d."select", d."Größe", CAST($1 AS "my""s"."Größe%s__sequence"), d."__kind", NULL, ''
FROM (
  SELECT s."k""1", s."select", s."Größe", 'u' AS "__kind"
  FROM "pg_temp"."changed_8" AS s
  UNION ALL
  SELECT g."k""1", g."select", NULL, 'd'
  FROM "pg_temp"."gone_8" AS g
) AS d
-- a change at the very version wins
WHERE NOT EXISTS (SELECT FROM "autocdc"."floor_8" AS f WHERE f."__seq" = CAST($1 AS "my""s"."Größe%s__sequence"))
  AND NOT EXISTS (SELECT FROM "autocdc"."shadow_8" AS h WHERE h."k""1" = d."k""1" AND h."select" = d."select" AND h."__seq" = CAST($1 AS "my""s"."Größe%s__sequence"))
  AND NOT EXISTS (SELECT FROM "my""s"."Größe%s" AS x WHERE x."k""1" = d."k""1" AND x."select" = d."select" AND (x."__start_at" = CAST($1 AS "my""s"."Größe%s__sequence") OR x."__end_at" = CAST($1 AS "my""s"."Größe%s__sequence")))
