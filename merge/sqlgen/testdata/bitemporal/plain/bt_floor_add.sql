INSERT INTO "autocdc"."floor_7" ("__seq", "__sys", "__flow")
SELECT e."__seq", e."__sys", e."__flow"
FROM "pg_temp"."events_7" AS e
WHERE e."__kind" = 't'
ORDER BY e."__n"
