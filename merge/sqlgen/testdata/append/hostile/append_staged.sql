-- The rows of a query that runs once.
INSERT INTO "my""s"."Größe%s" ("k""1", "select")
SELECT s."k""1", s."select"
FROM "autocdc"."snapshot_3" AS s
