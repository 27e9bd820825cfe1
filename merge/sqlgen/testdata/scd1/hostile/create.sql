CREATE TYPE "my""s"."Größe%s__sequence" AS ("a b" timestamptz, "n" bigint)
;
CREATE TABLE "my""s"."Größe%s" (
  "k""1" integer,
  "select" text COLLATE pg_catalog."C",
  "Größe" numeric,
  "__sequence" "my""s"."Größe%s__sequence" NOT NULL,
  PRIMARY KEY ("k""1", "select")
) WITH (fillfactor = 90)
;
COMMENT ON TABLE "my""s"."Größe%s" IS  E'it''s a \\ comment'