CREATE TABLE "crm"."users" (
  "id" integer,
  "name" text,
  "city" text,
  "__start_at" bigint NOT NULL,
  "__end_at" bigint,
  PRIMARY KEY ("id", "__start_at"),
  CONSTRAINT "__interval" CHECK ("__end_at" > "__start_at")
) WITH (fillfactor = 85)
