INSERT INTO "my""s"."Größe%s" ("k""1", "select", "Größe", "__start_at", "__end_at")
SELECT e."k""1", e."select", e."Größe", r."__seq", r."__next_seq"
FROM "pg_temp"."run_8" AS r
JOIN "pg_temp"."events_8" AS e ON e."__n" = r."__last_n"
WHERE r."__what" = 'u'
