INSERT INTO "autocdc"."shadow_8" ("k""1", "select", "Größe", "__seq", "__sys", "__kind", "__missing", "__flow", "__batch", "__arrival")
SELECT e."k""1", e."select", e."Größe", e."__seq", e."__sys", e."__kind", e."__missing", e."__flow", 0, e."__n"
FROM "pg_temp"."events_8" AS e
WHERE e."__kind" <> 't'
