-- Parameter $1: when. Keys that the batch touches have a delete of their own.
UPDATE "crm"."users" AS t
SET "__end_at" = $1
WHERE t."__end_at" IS NULL
  AND NOT EXISTS (SELECT FROM "pg_temp"."events_7" AS e WHERE e."id" = t."id")
