INSERT INTO "crm"."users" ("id", "name", "city", "__start_at", "__end_at")
SELECT e."id", e."name", e."city", r."__seq", r."__next_seq"
FROM "pg_temp"."run_7" AS r
JOIN "pg_temp"."events_7" AS e ON e."__n" = r."__last_n"
WHERE r."__what" = 'u'
