-- Values that an update did not carry are those of the open row.
UPDATE "pg_temp"."events_7" AS e
SET "id" = CASE WHEN COALESCE(get_bit(e.__missing, 0), 0) = 1 THEN r."id" ELSE e."id" END, "name" = CASE WHEN COALESCE(get_bit(e.__missing, 1), 0) = 1 THEN r."name" ELSE e."name" END, "city" = CASE WHEN COALESCE(get_bit(e.__missing, 2), 0) = 1 THEN r."city" ELSE e."city" END
FROM "pg_temp"."events_7" AS x
CROSS JOIN LATERAL (
  SELECT t."id", t."name", t."city"
  FROM "crm"."users" AS t
  WHERE t."id" = x."id" AND t."__end_at" IS NULL
  ORDER BY t."__start_at" DESC
  LIMIT 1
) AS r
WHERE x.ctid = e.ctid AND x."__missing" IS NOT NULL
