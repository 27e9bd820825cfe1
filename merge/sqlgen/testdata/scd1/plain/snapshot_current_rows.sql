-- How many rows the snapshot is compared with.
SELECT count(*)
FROM "crm"."users" AS t
