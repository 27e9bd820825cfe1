-- What a snapshot changes, or may have to change when late events come. Parameter $1: its version.
INSERT INTO "pg_temp"."events_8" ("k""1", "select", "Größe", "__seq", "__kind", "__missing", "__flow")
SELECT d."k""1", d."select", d."Größe", CAST($1 AS "my""s"."Größe%s__sequence"), d."__kind", NULL, ''
FROM (
  SELECT COALESCE(s."k""1", t."k""1") AS "k""1", COALESCE(s."select", t."select") AS "select", s."Größe", CASE WHEN s."k""1" IS NULL THEN 'd' ELSE 'u' END AS "__kind"
  FROM "autocdc"."snapshot_3" AS s
  FULL JOIN (
    SELECT t."k""1", t."select", t."Größe"
    FROM "my""s"."Größe%s" AS t
    WHERE t."__start_at" < CAST($1 AS "my""s"."Größe%s__sequence") AND (t."__end_at" IS NULL OR t."__end_at" > CAST($1 AS "my""s"."Größe%s__sequence"))
  ) AS t ON s."k""1" = t."k""1" AND s."select" = t."select"
  WHERE s."k""1" IS NULL OR t."k""1" IS NULL OR NOT record_image_eq(ROW(s."k""1", s."select", s."Größe"), ROW(t."k""1", t."select", t."Größe"))
) AS d
-- a change at the very version wins
WHERE NOT EXISTS (SELECT FROM "autocdc"."floor_8" AS f WHERE f."__seq" = CAST($1 AS "my""s"."Größe%s__sequence"))
  AND NOT EXISTS (SELECT FROM "autocdc"."shadow_8" AS h WHERE h."k""1" = d."k""1" AND h."select" = d."select" AND h."__seq" = CAST($1 AS "my""s"."Größe%s__sequence"))
  AND NOT EXISTS (SELECT FROM "my""s"."Größe%s" AS x WHERE x."k""1" = d."k""1" AND x."select" = d."select" AND (x."__start_at" = CAST($1 AS "my""s"."Größe%s__sequence") OR x."__end_at" = CAST($1 AS "my""s"."Größe%s__sequence")))
