-- Of each key the event that is last in order, unless a tombstone, a truncate or the row itself is later.
MERGE INTO "my""s"."Größe%s" AS t
USING (
  SELECT w.*
  FROM (
    SELECT e.*
    FROM "pg_temp"."events_8" AS e
    WHERE e."__kind" <> 't'
  ) AS w
  WHERE ((SELECT f."__seq" FROM "autocdc"."floor_8" AS f ORDER BY f."__seq" DESC LIMIT 1) > w."__seq") IS NOT TRUE
) AS s
ON t."k""1" = s."k""1" AND t."select" = s."select"
WHEN MATCHED AND t."__sequence" > s."__seq" THEN
  DO NOTHING
WHEN MATCHED AND s."__kind" = 'd' THEN
  DELETE
WHEN MATCHED THEN
  UPDATE SET "k""1" = s."k""1", "select" = s."select", "Größe" = s."Größe", "__sequence" = s."__seq"
WHEN NOT MATCHED AND s."__kind" = 'u' THEN
  INSERT ("k""1", "select", "Größe", "__sequence")
  VALUES (s."k""1", s."select", s."Größe", s."__seq")
