INSERT INTO "autocdc"."floor_8" ("__seq", "__sys", "__flow")
SELECT e."__seq", e."__sys", e."__flow"
FROM "pg_temp"."events_8" AS e
WHERE e."__kind" = 't'
ORDER BY e."__n"
