-- Rows of an interrupted copy give way to those that were read later.
DELETE FROM "crm"."users" AS t
USING "pg_temp"."events_7" AS e
CROSS JOIN LATERAL (
  SELECT x.ctid AS "__row_id"
  FROM "crm"."users" AS x
  WHERE x."id" = e."id"
  OFFSET 0
) AS r
WHERE t.ctid = r."__row_id"
