DELETE FROM "pg_temp"."events_7"
