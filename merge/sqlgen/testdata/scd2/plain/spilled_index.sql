CREATE INDEX IF NOT EXISTS "spill_7" ON "pg_temp"."events_7" ("__n")
