-- Keys that the snapshot lacks.
CREATE TEMP TABLE "pg_temp"."gone_8" ON COMMIT DROP AS
SELECT t."k""1", t."select", t."__start_at" AS "__at"
FROM (
  SELECT t."k""1", t."select", t."__start_at"
  FROM "my""s"."Größe%s" AS t
  WHERE t."__start_at" <= CAST($1 AS "my""s"."Größe%s__sequence") AND (t."__end_at" IS NULL OR t."__end_at" > CAST($1 AS "my""s"."Größe%s__sequence"))
) AS t
WHERE NOT EXISTS (SELECT FROM "autocdc"."snapshot_3" AS s WHERE s."k""1" = t."k""1" AND s."select" = t."select")
