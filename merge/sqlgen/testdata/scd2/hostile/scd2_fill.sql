-- Values that an update did not carry are those of the open row.
UPDATE "pg_temp"."events_8" AS e
SET "k""1" = CASE WHEN COALESCE(get_bit(e.__missing, 0), 0) = 1 THEN r."k""1" ELSE e."k""1" END, "select" = CASE WHEN COALESCE(get_bit(e.__missing, 1), 0) = 1 THEN r."select" ELSE e."select" END, "Größe" = CASE WHEN COALESCE(get_bit(e.__missing, 2), 0) = 1 THEN r."Größe" ELSE e."Größe" END
FROM "pg_temp"."events_8" AS x
CROSS JOIN LATERAL (
  SELECT t."k""1", t."select", t."Größe"
  FROM "my""s"."Größe%s" AS t
  WHERE t."k""1" = x."k""1" AND t."select" = x."select" AND t."__end_at" IS NULL
  ORDER BY t."__start_at" DESC
  LIMIT 1
) AS r
WHERE x.ctid = e.ctid AND x."__missing" IS NOT NULL
