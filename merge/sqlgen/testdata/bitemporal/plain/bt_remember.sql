INSERT INTO "autocdc"."shadow_7" ("id", "name", "city", "__seq", "__sys", "__kind", "__missing", "__flow", "__batch", "__arrival")
SELECT e."id", e."name", e."city", e."__seq", e."__sys", e."__kind", e."__missing", e."__flow", 0, e."__n"
FROM "pg_temp"."events_7" AS e
WHERE e."__kind" <> 't'
