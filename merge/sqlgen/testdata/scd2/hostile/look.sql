-- What the batch holds: null keys or sequences, truncates, deletes, keys with several events; and whether anything is remembered.
SELECT EXISTS (
  SELECT FROM "pg_temp"."events_8" AS e
  WHERE e."__kind" <> 't' AND (e."k""1" IS NULL OR e."select" IS NULL) OR NOT (e."__seq" IS NOT NULL)
), EXISTS (
  SELECT FROM "pg_temp"."events_8" AS e WHERE e."__kind" = 't'
), EXISTS (
  SELECT FROM "pg_temp"."events_8" AS e WHERE e."__kind" = 'd'
), (
  SELECT count(*) FROM "pg_temp"."events_8" AS e WHERE e."__kind" <> 't'
) > (
  SELECT count(*) FROM (SELECT FROM "pg_temp"."events_8" AS e WHERE e."__kind" <> 't' GROUP BY e."k""1", e."select") AS k
), EXISTS (
  SELECT FROM "autocdc"."shadow_8"
)
