-- Rows that were deleted after they were read. Of each event the sequence is that of the last copy which still saw the row.
DELETE FROM "my""s"."Größe%s" AS t
USING "pg_temp"."events_8" AS e
CROSS JOIN LATERAL (
  SELECT x.ctid AS "__row_id"
  FROM "my""s"."Größe%s" AS x
  WHERE x."k""1" = e."k""1" AND x."select" = e."select" AND x."__sequence" <= e."__seq"
  OFFSET 0
) AS r
WHERE t.ctid = r."__row_id"
