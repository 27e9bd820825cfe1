-- Rows that were deleted after they were read. Of each event the sequence is that of the last copy which still saw the row.
DELETE FROM "crm"."users" AS t
USING "pg_temp"."events_7" AS e
CROSS JOIN LATERAL (
  SELECT x.ctid AS "__row_id"
  FROM "crm"."users" AS x
  WHERE x."id" = e."id" AND x."__start_at" <= e."__seq"
  OFFSET 0
) AS r
WHERE t.ctid = r."__row_id"
