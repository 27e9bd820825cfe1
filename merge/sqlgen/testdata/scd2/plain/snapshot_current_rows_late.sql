-- How many rows the snapshot is compared with.
SELECT count(*)
FROM (
  SELECT t."id", t."name", t."city", t."__start_at"
  FROM "crm"."users" AS t
  WHERE t."__start_at" < CAST($1 AS bigint) AND (t."__end_at" IS NULL OR t."__end_at" > CAST($1 AS bigint))
) AS t
