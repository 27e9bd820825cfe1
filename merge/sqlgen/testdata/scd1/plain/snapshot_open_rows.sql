-- How many keys the target has now.
SELECT count(*)
FROM "crm"."users" AS t
