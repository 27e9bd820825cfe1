-- Keys that the snapshot lacks.
CREATE TEMP TABLE "pg_temp"."gone_7" ON COMMIT DROP AS
SELECT t."id", t."__start_at" AS "__at"
FROM (
  SELECT t."id", t."name", t."city", t."__start_at"
  FROM "crm"."users" AS t
  WHERE t."__end_at" IS NULL
) AS t
WHERE NOT EXISTS (SELECT FROM "autocdc"."snapshot_3" AS s WHERE s."id" = t."id")
