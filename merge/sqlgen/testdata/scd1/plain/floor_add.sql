INSERT INTO "autocdc"."floor_7" ("__seq", "__flow")
SELECT DISTINCT e."__seq", e."__flow" FROM "pg_temp"."events_7" AS e WHERE e."__kind" = 't'
EXCEPT
SELECT f."__seq", f."__flow" FROM "autocdc"."floor_7" AS f
