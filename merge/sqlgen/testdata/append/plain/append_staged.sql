-- The rows of a query that runs once.
INSERT INTO "crm"."users" ("id", "name")
SELECT s."id", s."name"
FROM "autocdc"."snapshot_3" AS s
