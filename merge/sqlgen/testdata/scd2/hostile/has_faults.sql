SELECT EXISTS (
  SELECT FROM "pg_temp"."events_8" AS e
  WHERE e."__kind" <> 't' AND (e."k""1" IS NULL OR e."select" IS NULL) OR NOT (e."__seq" IS NOT NULL)
), EXISTS (
  SELECT FROM "pg_temp"."events_8" AS e WHERE e."__kind" = 't'
)
