CREATE TABLE "crm"."users" (
  "id" integer,
  "name" text,
  "city" text
)
