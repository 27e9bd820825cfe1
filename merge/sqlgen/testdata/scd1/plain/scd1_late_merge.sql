-- Of each key the event that is last in order, unless a tombstone, a truncate or the row itself is later.
MERGE INTO "crm"."users" AS t
USING (
  SELECT w.*
  FROM (
    SELECT e.*
    FROM "pg_temp"."events_7" AS e
    WHERE e."__kind" <> 't'
  ) AS w
  WHERE ((SELECT f."__seq" FROM "autocdc"."floor_7" AS f ORDER BY f."__seq" DESC LIMIT 1) > w."__seq") IS NOT TRUE
) AS s
ON t."id" = s."id"
WHEN MATCHED AND t."__sequence" > s."__seq" THEN
  DO NOTHING
WHEN MATCHED AND s."__kind" = 'd' THEN
  DELETE
WHEN MATCHED THEN
  UPDATE SET "id" = s."id", "name" = s."name", "city" = s."city", "__sequence" = s."__seq"
WHEN NOT MATCHED AND s."__kind" = 'u' THEN
  INSERT ("id", "name", "city", "__sequence")
  VALUES (s."id", s."name", s."city", s."__seq")
