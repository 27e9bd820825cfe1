SELECT EXISTS (
  SELECT FROM "pg_temp"."events_7" AS e
  WHERE e."__kind" <> 't' AND (e."id" IS NULL) OR e."__seq" IS NULL OR e."__sys" IS NULL
), EXISTS (
  SELECT FROM "pg_temp"."events_7" AS e WHERE e."__kind" = 't'
)
