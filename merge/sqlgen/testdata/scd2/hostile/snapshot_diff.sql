-- What a snapshot changes, where nothing can be later than it. Parameter $1: its version.
INSERT INTO "pg_temp"."events_8" ("k""1", "select", "Größe", "__seq", "__kind", "__missing", "__grp", "__n")
SELECT d."k""1", d."select", d."Größe", CAST($1 AS "my""s"."Größe%s__sequence"), d."__kind", NULL, row_number() OVER (), row_number() OVER ()
FROM (
  SELECT COALESCE(s."k""1", t."k""1") AS "k""1", COALESCE(s."select", t."select") AS "select", s."Größe", CASE WHEN s."k""1" IS NULL THEN 'd' ELSE 'u' END AS "__kind"
  FROM "autocdc"."snapshot_3" AS s
  FULL JOIN (
    SELECT t."k""1", t."select", t."Größe", t."__start_at" FROM "my""s"."Größe%s" AS t WHERE t."__end_at" IS NULL
  ) AS t ON s."k""1" = t."k""1" AND s."select" = t."select"
  WHERE (s."k""1" IS NULL OR t."k""1" IS NULL OR NOT record_image_eq(ROW(s."k""1", s."select", s."Größe"), ROW(t."k""1", t."select", t."Größe")))
    -- a change at the very version wins
    AND t."__start_at" IS DISTINCT FROM CAST($1 AS "my""s"."Größe%s__sequence")
) AS d
