SELECT EXISTS (SELECT FROM "pg_temp"."fold_8" AS f WHERE f.missing IS NOT NULL)
