-- What the batch holds: null keys or sequences, truncates, deletes, keys with several events, events that carry less than all;
-- whether anything is remembered; how many events.
SELECT COALESCE(bool_or(k."__faulty"), false), COALESCE(bool_or(k."__truncates"), false), COALESCE(bool_or(k."__deletes"), false),
  COALESCE(bool_or(k."__events" > 1 AND NOT k."__truncates"), false), COALESCE(bool_or(k."__partial"), false),
  EXISTS (SELECT FROM "autocdc"."shadow_7"), COALESCE(CAST(sum(k."__events") AS bigint), 0)
FROM (
  SELECT bool_or(e."__kind" <> 't' AND (e."id" IS NULL) OR e."__seq" IS NULL OR e."__sys" IS NULL) AS "__faulty",
    e."__kind" = 't' AS "__truncates", bool_or(e."__kind" = 'd') AS "__deletes", bool_or(e."__missing" IS NOT NULL) AS "__partial", count(*) AS "__events"
  FROM "pg_temp"."events_7" AS e
  GROUP BY e."__kind" = 't', e."id"
) AS k
