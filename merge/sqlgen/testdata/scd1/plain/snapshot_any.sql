-- Whether there are rows to compare with.
SELECT EXISTS (SELECT FROM "crm"."users" AS t)
