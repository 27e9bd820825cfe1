INSERT INTO "crm"."users" ("id", "name", "city", "__start_at")
SELECT e."id", e."name", e."city", e."__seq"
FROM "pg_temp"."events_7" AS e
