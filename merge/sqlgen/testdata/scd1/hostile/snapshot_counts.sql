-- Rows that came or changed, and those that went.
SELECT count(*) FILTER (WHERE e."__kind" = 'u'), count(*) FILTER (WHERE e."__kind" = 'd')
FROM "pg_temp"."events_8" AS e
