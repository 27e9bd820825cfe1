-- Open rows that end.
UPDATE "crm"."users" AS t
SET "__end_at" = r.seq
FROM "pg_temp"."run_7" AS r
WHERE t.ctid = r.row_id AND r.leads AND r.what <> '='
