-- How many keys the target has now.
SELECT count(*)
FROM "crm"."users" AS t
WHERE t."__end_at" IS NULL
