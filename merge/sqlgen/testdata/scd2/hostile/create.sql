CREATE TYPE "my""s"."Größe%s__sequence" AS ("a b" timestamptz, "n" bigint)
;
CREATE TABLE "my""s"."Größe%s" (
  "k""1" integer,
  "select" text COLLATE pg_catalog."C",
  "Größe" numeric,
  "__start_at" "my""s"."Größe%s__sequence" NOT NULL,
  "__end_at" "my""s"."Größe%s__sequence",
  PRIMARY KEY ("k""1", "select", "__start_at"),
  CONSTRAINT "__interval" CHECK ("__end_at" > "__start_at")
) WITH (fillfactor = 85)
;
COMMENT ON TABLE "my""s"."Größe%s" IS  E'it''s a \\ comment'