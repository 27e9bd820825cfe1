SELECT EXISTS (SELECT FROM "pg_temp"."fold_8" AS f WHERE f."__missing" IS NOT NULL)
