-- How many rows of the snapshot have found none of their key.
SELECT count(*)
FROM "pg_temp"."changed_8"
WHERE "__fresh"
