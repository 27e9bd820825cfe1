INSERT INTO "my""s"."Größe%s" ("k""1", "select", "Größe", "__start_at")
SELECT e."k""1", e."select", e."Größe", e."__seq"
FROM "pg_temp"."events_8" AS e
