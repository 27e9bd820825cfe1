CREATE TYPE "my""s"."Größe%s__sequence" AS ("a b" timestamptz, "n" bigint)
;
CREATE TABLE "my""s"."Größe%s" (
  "k""1" integer,
  "select" text COLLATE pg_catalog."C",
  "Größe" numeric,
  "__start_at" "my""s"."Größe%s__sequence" NOT NULL,
  "__end_at" "my""s"."Größe%s__sequence",
  "__system_start_at" timestamptz NOT NULL,
  "__system_end_at" timestamptz,
  PRIMARY KEY ("k""1", "select", "__start_at", "__system_start_at"),
  CONSTRAINT "__interval" CHECK ("__end_at" > "__start_at"),
  CONSTRAINT "__system_interval" CHECK ("__system_end_at" > "__system_start_at")
) WITH (fillfactor = 85)
;
COMMENT ON TABLE "my""s"."Größe%s" IS  E'it''s a \\ comment'