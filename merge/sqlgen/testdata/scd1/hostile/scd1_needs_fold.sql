-- Whether the row and a tombstone do not tell enough, since events before carried less than all.
SELECT EXISTS (SELECT FROM "pg_temp"."events_8" AS e JOIN "autocdc"."shadow_8" AS h ON h."k""1" = e."k""1" AND h."select" = e."select" WHERE h."__kind" = 'u')
