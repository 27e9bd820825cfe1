-- What the batch holds: null keys or sequences, truncates, deletes, keys with several events; and whether anything is remembered.
SELECT EXISTS (
  SELECT FROM "pg_temp"."events_7" AS e
  WHERE e."__kind" <> 't' AND (e."id" IS NULL) OR e."__seq" IS NULL
), EXISTS (
  SELECT FROM "pg_temp"."events_7" AS e WHERE e."__kind" = 't'
), EXISTS (
  SELECT FROM "pg_temp"."events_7" AS e WHERE e."__kind" = 'd'
), (
  SELECT count(*) FROM "pg_temp"."events_7" AS e WHERE e."__kind" <> 't'
) > (
  SELECT count(*) FROM (SELECT FROM "pg_temp"."events_7" AS e WHERE e."__kind" <> 't' GROUP BY e."id") AS k
), EXISTS (
  SELECT FROM "autocdc"."shadow_7"
)
