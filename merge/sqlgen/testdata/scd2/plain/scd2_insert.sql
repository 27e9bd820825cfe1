INSERT INTO "crm"."users" ("id", "name", "city", "__start_at", "__end_at")
SELECT e."id", e."name", e."city", r.seq, r.next_seq
FROM "pg_temp"."run_7" AS r
JOIN "pg_temp"."events_7" AS e ON e."__n" = r.last_n
WHERE r.what = 'u'
