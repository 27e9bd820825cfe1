INSERT INTO "autocdc"."floor_8" ("__seq", "__snapshot")
VALUES (CAST($1 AS "my""s"."Größe%s__sequence"), true)
