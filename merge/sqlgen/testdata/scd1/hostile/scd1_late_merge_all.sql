-- Of each key the event that is last in order, unless a tombstone, a truncate or the row itself is later.
MERGE INTO "my""s"."Größe%s" AS t
USING (
  SELECT w.*
  FROM (
    SELECT DISTINCT ON (e."k""1", e."select") e.*
    FROM "pg_temp"."events_8" AS e
    WHERE e."__kind" <> 't'
    ORDER BY e."k""1", e."select", e."__seq" DESC, e."__n" DESC
  ) AS w
  LEFT JOIN "autocdc"."shadow_8" AS h ON h."k""1" = w."k""1" AND h."select" = w."select"
  WHERE ((SELECT f."__seq" FROM "autocdc"."floor_8" AS f ORDER BY f."__seq" DESC LIMIT 1) > w."__seq") IS NOT TRUE
    AND (h."__seq" > w."__seq") IS NOT TRUE
    AND NOT EXISTS (
      SELECT FROM "pg_temp"."events_8" AS x
      WHERE x."__kind" = 't' AND (x."__seq" > w."__seq" OR x."__seq" = w."__seq" AND x."__n" > w."__n")
    )
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
