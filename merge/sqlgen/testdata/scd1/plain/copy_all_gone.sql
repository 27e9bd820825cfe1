-- Parameter $1: the sequence of the last copy before the truncate.
DELETE FROM "crm"."users" AS t
WHERE t."__sequence" <= $1
