-- Open rows that end.
UPDATE "my""s"."Größe%s" AS t
SET "__end_at" = r.seq
FROM "pg_temp"."run_8" AS r
WHERE t.ctid = r.row_id AND r.leads AND r.what <> '='
