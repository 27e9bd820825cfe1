DELETE FROM "pg_temp"."events_8"
