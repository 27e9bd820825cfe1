-- How many rows of the snapshot have found none of their key.
SELECT count(*)
FROM "pg_temp"."changed_7"
WHERE "__fresh"
