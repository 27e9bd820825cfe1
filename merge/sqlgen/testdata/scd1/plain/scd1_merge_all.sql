-- Parameter $1: the end of the source transaction, for events staged before it was known.
MERGE INTO "crm"."users" AS t
USING (
  SELECT DISTINCT ON (e."id") e."id", e."name", e."city", $1::pg_lsn AS "__seq", e."__kind", e."__missing"
  FROM "pg_temp"."events_7" AS e
  ORDER BY e."id", e."__n" DESC
) AS s
ON t."id" = s."id"
WHEN MATCHED AND s."__kind" = 'd' THEN
  DELETE
WHEN MATCHED THEN
  UPDATE SET "id" = CASE WHEN COALESCE(get_bit(s.__missing, 0), 0) = 1 THEN t."id" ELSE s."id" END, "name" = CASE WHEN COALESCE(get_bit(s.__missing, 1), 0) = 1 THEN t."name" ELSE s."name" END, "city" = CASE WHEN COALESCE(get_bit(s.__missing, 2), 0) = 1 THEN t."city" ELSE s."city" END, "__sequence" = s."__seq"
WHEN NOT MATCHED AND s."__kind" = 'u' THEN
  INSERT ("id", "name", "city", "__sequence")
  VALUES (s."id", s."name", s."city", s."__seq")
