DELETE FROM "autocdc"."shadow_8" AS h
USING "pg_temp"."late_8" AS l
WHERE h."k""1" = l."k""1" AND h."select" = l."select"
