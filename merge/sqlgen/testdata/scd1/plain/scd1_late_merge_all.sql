-- Of each key the event that is last in order, unless a tombstone, a truncate or the row itself is later.
MERGE INTO "crm"."users" AS t
USING (
  SELECT w.*
  FROM (
    SELECT DISTINCT ON (e."id") e.*
    FROM "pg_temp"."events_7" AS e
    WHERE e."__kind" <> 't'
    ORDER BY e."id", e."__seq" DESC, e."__n" DESC
  ) AS w
  LEFT JOIN "autocdc"."shadow_7" AS h ON h."id" = w."id"
  WHERE ((SELECT f."__seq" FROM "autocdc"."floor_7" AS f ORDER BY f."__seq" DESC LIMIT 1) > w."__seq") IS NOT TRUE
    AND (h."__seq" > w."__seq") IS NOT TRUE
    AND NOT EXISTS (
      SELECT FROM "pg_temp"."events_7" AS x
      WHERE x."__kind" = 't' AND (x."__seq" > w."__seq" OR x."__seq" = w."__seq" AND x."__n" > w."__n")
    )
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
