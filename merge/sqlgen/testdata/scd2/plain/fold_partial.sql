SELECT EXISTS (SELECT FROM "pg_temp"."fold_7" AS f WHERE f.missing IS NOT NULL)
