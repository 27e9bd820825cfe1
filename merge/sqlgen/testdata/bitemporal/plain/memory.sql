CREATE TABLE "autocdc"."shadow_7" AS
SELECT "id", "name", "city", "__start_at" AS "__seq", "__system_start_at" AS "__sys",
  'u'::"char" AS "__kind", NULL::varbit AS "__missing", NULL::text COLLATE "C" AS "__flow"
FROM "crm"."users" WITH NO DATA
;
ALTER TABLE "autocdc"."shadow_7"
  ADD COLUMN "__batch" bigint,
  ADD COLUMN "__arrival" bigint,
  ADD PRIMARY KEY ("id", "__seq", "__batch", "__arrival"),
  ADD COLUMN "__seen_at" timestamptz NOT NULL DEFAULT now()
;
CREATE INDEX ON "autocdc"."shadow_7" USING brin ("__seen_at")
;
CREATE TABLE "autocdc"."floor_7" AS
SELECT "__start_at" AS "__seq", "__system_start_at" AS "__sys", NULL::text COLLATE "C" AS "__flow" FROM "crm"."users" WITH NO DATA
;
ALTER TABLE "autocdc"."floor_7"
  ADD COLUMN "__batch" bigint,
  ADD COLUMN "__arrival" bigint,
  ADD COLUMN "__snapshot" boolean NOT NULL DEFAULT false,
  ADD COLUMN "__seen_at" timestamptz NOT NULL DEFAULT now()
