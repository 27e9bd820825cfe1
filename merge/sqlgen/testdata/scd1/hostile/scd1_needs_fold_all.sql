-- Whether the row and a tombstone do not tell enough: events that carry less than all, now or before.
SELECT EXISTS (SELECT FROM "pg_temp"."events_8" AS e WHERE e."__missing" IS NOT NULL)
  OR EXISTS (SELECT FROM "pg_temp"."events_8" AS e JOIN "autocdc"."shadow_8" AS h ON h."k""1" = e."k""1" AND h."select" = e."select" WHERE h."__kind" = 'u')
  OR EXISTS (SELECT FROM "autocdc"."shadow_8" AS h WHERE h."__kind" = 'u')
