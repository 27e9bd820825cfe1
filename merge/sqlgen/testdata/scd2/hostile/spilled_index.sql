CREATE INDEX IF NOT EXISTS "spill_8" ON "pg_temp"."events_8" ("__n")
