-- Rows of the snapshot that the target lacks or has otherwise. CREATE TABLE AS may
-- run in parallel, INSERT may not, nor may a full join before 16.
CREATE TEMP TABLE "pg_temp"."changed_7" ON COMMIT DROP AS
SELECT s."id", s."name", t."__start_at" AS "__at", t."id" IS NULL AS "__fresh"
FROM "autocdc"."snapshot_3" AS s
LEFT JOIN (
  SELECT t."id", t."name", t."__start_at"
  FROM "crm"."users" AS t
  WHERE t."__start_at" <= CAST($1 AS bigint) AND (t."__end_at" IS NULL OR t."__end_at" > CAST($1 AS bigint))
) AS t ON s."id" = t."id"
WHERE t."id" IS NULL OR (s."id", s."name") IS DISTINCT FROM (t."id", t."name")
