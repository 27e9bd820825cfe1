CREATE TABLE "my""s"."Größe%s" (
  "k""1" integer,
  "select" text COLLATE pg_catalog."C",
  "Größe" numeric
)
;
COMMENT ON TABLE "my""s"."Größe%s" IS  E'it''s a \\ comment'