CREATE TABLE "crm"."users" (
  "id" integer,
  "name" text,
  "city" text,
  "__sequence" bigint NOT NULL,
  PRIMARY KEY ("id")
) WITH (fillfactor = 90)
