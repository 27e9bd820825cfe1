CREATE TABLE "autocdc"."shadow_8" AS
SELECT "k""1", "select", "Größe", "__start_at" AS "__seq", "__system_start_at" AS "__sys",
  'u'::"char" AS "__kind", NULL::varbit AS "__missing", NULL::text COLLATE "C" AS "__flow"
FROM "my""s"."Größe%s" WITH NO DATA
;
ALTER TABLE "autocdc"."shadow_8"
  ADD COLUMN "__batch" bigint,
  ADD COLUMN "__arrival" bigint,
  ADD PRIMARY KEY ("k""1", "select", "__seq", "__batch", "__arrival"),
  ADD COLUMN "__seen_at" timestamptz NOT NULL DEFAULT now()
;
CREATE INDEX ON "autocdc"."shadow_8" USING brin ("__seen_at")
;
CREATE TABLE "autocdc"."floor_8" AS
SELECT "__start_at" AS "__seq", "__system_start_at" AS "__sys", NULL::text COLLATE "C" AS "__flow" FROM "my""s"."Größe%s" WITH NO DATA
;
ALTER TABLE "autocdc"."floor_8"
  ADD COLUMN "__batch" bigint,
  ADD COLUMN "__arrival" bigint,
  ADD COLUMN "__snapshot" boolean NOT NULL DEFAULT false,
  ADD COLUMN "__seen_at" timestamptz NOT NULL DEFAULT now()
