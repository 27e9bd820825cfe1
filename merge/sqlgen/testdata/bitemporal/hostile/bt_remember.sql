INSERT INTO "autocdc"."shadow_8" ("k""1", "select", "Größe", "__seq", "__sys", "__kind", "__missing", "__flow")
SELECT e."k""1", e."select", e."Größe", e."__seq", e."__sys", e."__kind", e."__missing", e."__flow"
FROM "pg_temp"."events_8" AS e
WHERE e."__kind" <> 't'
ORDER BY e."__n"
