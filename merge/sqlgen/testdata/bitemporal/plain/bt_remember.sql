INSERT INTO "autocdc"."shadow_7" ("id", "name", "city", "__seq", "__sys", "__op", "__missing", "__flow")
SELECT e."id", e."name", e."city", e."__seq", e."__sys", e."__op", e."__missing", e."__flow"
FROM "pg_temp"."events_7" AS e
WHERE e."__op" <> 't'
ORDER BY e."__n"
