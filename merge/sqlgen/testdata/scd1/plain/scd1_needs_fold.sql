-- Whether the row and a tombstone do not tell enough, since events before carried less than all.
SELECT EXISTS (SELECT FROM "pg_temp"."events_7" AS e JOIN "autocdc"."shadow_7" AS h ON h."id" = e."id" WHERE h."__kind" = 'u')
