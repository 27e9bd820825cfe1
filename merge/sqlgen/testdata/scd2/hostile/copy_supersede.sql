-- Rows of an interrupted copy give way to those that were read later.
DELETE FROM "my""s"."Größe%s" AS t
USING "pg_temp"."events_8" AS e
CROSS JOIN LATERAL (
  SELECT x.ctid AS "__row_id"
  FROM "my""s"."Größe%s" AS x
  WHERE x."k""1" = e."k""1" AND x."select" = e."select"
  OFFSET 0
) AS r
WHERE t.ctid = r."__row_id"
