-- Keys that the snapshot lacks.
CREATE TEMP TABLE "pg_temp"."gone_8" ON COMMIT DROP AS
SELECT t."k""1", t."select", t."__sequence" AS "__at"
FROM "my""s"."Größe%s" AS t
WHERE NOT EXISTS (SELECT FROM "autocdc"."snapshot_3" AS s WHERE s."k""1" = t."k""1" AND s."select" = t."select")
