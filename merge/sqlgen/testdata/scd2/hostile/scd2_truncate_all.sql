-- Parameter $1: when. Keys that the batch touches have a delete of their own.
UPDATE "my""s"."Größe%s" AS t
SET "__end_at" = $1
WHERE t."__end_at" IS NULL
  AND NOT EXISTS (SELECT FROM "pg_temp"."events_8" AS e WHERE e."k""1" = t."k""1" AND e."select" = t."select")
