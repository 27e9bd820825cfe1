-- Rows of the snapshot that the target lacks or has otherwise. CREATE TABLE AS may
-- run in parallel, INSERT may not, nor may a full join before 16.
CREATE TEMP TABLE "pg_temp"."changed_7" ON COMMIT DROP AS
SELECT s."id", s."name", s."city", t."__start_at" AS "__at", t."id" IS NULL AS "__fresh"
FROM "autocdc"."snapshot_3" AS s
LEFT JOIN (
  SELECT t.*
  FROM (
  SELECT t."id", t."name", t."city", t."__start_at"
  FROM "crm"."users" AS t
  WHERE t."__end_at" IS NULL
) AS t
  WHERE hashtextextended(CAST(ROW(t."id") AS text), 0) & 1023 IN (SELECT d.bucket FROM "pg_temp"."differing_7" AS d)
) AS t ON s."id" = t."id"
WHERE t."id" IS NULL OR (s."id", s."name", s."city") IS DISTINCT FROM (t."id", t."name", t."city")
