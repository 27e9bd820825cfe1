INSERT INTO "autocdc"."floor_7" ("__seq", "__sys", "__flow", "__batch", "__arrival")
SELECT e."__seq", e."__sys", e."__flow", 0, e."__n"
FROM "pg_temp"."events_7" AS e
WHERE e."__kind" = 't'
