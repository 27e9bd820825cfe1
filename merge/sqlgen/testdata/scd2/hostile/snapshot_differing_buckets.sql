-- Buckets of keys in which the source, whose checksums are there, has not what the target has.
CREATE TEMP TABLE "pg_temp"."differing_8" AS
SELECT COALESCE(s.bucket, t.bucket) AS bucket
FROM "pg_temp"."checksums_8" AS s
FULL JOIN (
  SELECT hashtextextended(CAST(ROW(q."k""1", q."select") AS text), 0) & 1023 AS bucket, count(*) AS rows, sum(hashtextextended(CAST(ROW(q."k""1", q."select", q."Größe") AS text), 1)) AS checksum
  FROM (
  SELECT t."k""1", t."select", t."Größe", t."__start_at"
  FROM "my""s"."Größe%s" AS t
  WHERE t."__end_at" IS NULL
) AS q
  GROUP BY 1
) AS t ON t.bucket = s.bucket
WHERE (s.rows, s.checksum) IS DISTINCT FROM (t.rows, t.checksum)
