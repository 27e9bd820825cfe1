-- Keys that the snapshot lacks.
CREATE TEMP TABLE "pg_temp"."gone_7" ON COMMIT DROP AS
SELECT t."id", t."__sequence" AS "__at"
FROM "crm"."users" AS t
WHERE NOT EXISTS (SELECT FROM "autocdc"."snapshot_3" AS s WHERE s."id" = t."id")
