DELETE FROM "autocdc"."shadow_7" AS h
USING "pg_temp"."late_7" AS l
WHERE h."id" = l."id" AND (l.base IS NULL OR h."__seq" > l.base)
