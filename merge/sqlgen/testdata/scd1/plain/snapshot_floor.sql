INSERT INTO "autocdc"."floor_7" ("__seq", "__snapshot")
VALUES (CAST($1 AS bigint), true)
