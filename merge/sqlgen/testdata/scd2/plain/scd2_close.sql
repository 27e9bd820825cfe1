-- Open rows that end.
UPDATE "crm"."users" AS t
SET "__end_at" = r."__seq"
FROM "pg_temp"."run_7" AS r
WHERE t.ctid = r."__row_id" AND r."__leads" AND r."__what" <> '='
