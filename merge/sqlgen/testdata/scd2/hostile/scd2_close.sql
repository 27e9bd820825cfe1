-- Open rows that end.
UPDATE "my""s"."Größe%s" AS t
SET "__end_at" = r."__seq"
FROM "pg_temp"."run_8" AS r
WHERE t.ctid = r."__row_id" AND r."__leads" AND r."__what" <> '='
