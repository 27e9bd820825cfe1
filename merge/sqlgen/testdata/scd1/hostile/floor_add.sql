INSERT INTO "autocdc"."floor_8" ("__seq", "__flow")
SELECT DISTINCT e."__seq", e."__flow" FROM "pg_temp"."events_8" AS e WHERE e."__kind" = 't'
EXCEPT
SELECT f."__seq", f."__flow" FROM "autocdc"."floor_8" AS f
