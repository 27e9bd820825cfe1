INSERT INTO "my""s"."Größe%s" ("k""1", "select", "Größe", "__sequence")
SELECT e."k""1", e."select", e."Größe", e."__seq"
FROM "pg_temp"."events_8" AS e
