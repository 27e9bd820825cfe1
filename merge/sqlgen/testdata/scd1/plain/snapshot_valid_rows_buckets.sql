SELECT count(*)
FROM "crm"."users" AS t
