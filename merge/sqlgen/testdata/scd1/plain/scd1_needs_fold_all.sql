-- Whether the row and a tombstone do not tell enough: events that carry less than all, now or before.
SELECT EXISTS (SELECT FROM "pg_temp"."events_7" AS e WHERE e."__missing" IS NOT NULL)
  OR EXISTS (SELECT FROM "pg_temp"."events_7" AS e JOIN "autocdc"."shadow_7" AS h ON h."id" = e."id" WHERE h."__kind" = 'u')
  OR EXISTS (SELECT FROM "autocdc"."shadow_7" AS h WHERE h."__kind" = 'u')
