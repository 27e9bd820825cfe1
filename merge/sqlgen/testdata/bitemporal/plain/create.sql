CREATE TABLE "crm"."users" (
  "id" integer,
  "name" text,
  "city" text,
  "__start_at" bigint NOT NULL,
  "__end_at" bigint,
  "__system_start_at" timestamptz NOT NULL,
  "__system_end_at" timestamptz,
  PRIMARY KEY ("id", "__start_at", "__system_start_at"),
  CONSTRAINT "__interval" CHECK ("__end_at" > "__start_at"),
  CONSTRAINT "__system_interval" CHECK ("__system_end_at" > "__system_start_at")
) WITH (fillfactor = 85)
