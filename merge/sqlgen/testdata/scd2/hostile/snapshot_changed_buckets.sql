-- Rows of the snapshot that the target lacks or has otherwise. CREATE TABLE AS may
-- run in parallel, INSERT may not, nor may a full join before 16.
CREATE TEMP TABLE "pg_temp"."changed_8" ON COMMIT DROP AS
SELECT s."k""1", s."select", s."Größe", t."__start_at" AS "__at", t."k""1" IS NULL AS "__fresh"
FROM "autocdc"."snapshot_3" AS s
LEFT JOIN (
  SELECT t.*
  FROM (
  SELECT t."k""1", t."select", t."Größe", t."__start_at"
  FROM "my""s"."Größe%s" AS t
  WHERE t."__end_at" IS NULL
) AS t
  WHERE hashtextextended(CAST(ROW(t."k""1", t."select") AS text), 0) & 1023 IN (SELECT d.bucket FROM "pg_temp"."differing_8" AS d)
) AS t ON s."k""1" = t."k""1" AND s."select" = t."select"
WHERE t."k""1" IS NULL OR (s."k""1", s."select") IS DISTINCT FROM (t."k""1", t."select") OR NOT record_image_eq(ROW(s."Größe"), ROW(t."Größe"))
