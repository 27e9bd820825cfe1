-- An event that carries all replaces earlier ones of the same two times.
DELETE FROM "autocdc"."shadow_7" AS h
USING "pg_temp"."events_7" AS e
WHERE h."id" = e."id" AND h."__seq" = e."__seq" AND h."__sys" = e."__sys"
  AND e."__missing" IS NULL AND e."__kind" <> 't'
