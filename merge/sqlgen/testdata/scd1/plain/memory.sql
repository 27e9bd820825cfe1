CREATE TABLE "autocdc"."shadow_7" AS
SELECT "id", "name", "city", "__sequence" AS "__seq",
  'u'::"char" AS "__kind", NULL::varbit AS "__missing", NULL::text COLLATE "C" AS "__flow"
FROM "crm"."users" WITH NO DATA
;
ALTER TABLE "autocdc"."shadow_7"
  ADD PRIMARY KEY ("id", "__seq"),
  ADD COLUMN "__seen_at" timestamptz NOT NULL DEFAULT now()
;
CREATE INDEX ON "autocdc"."shadow_7" USING brin ("__seen_at")
;
CREATE TABLE "autocdc"."floor_7" AS
SELECT "__sequence" AS "__seq", NULL::text COLLATE "C" AS "__flow" FROM "crm"."users" WITH NO DATA
;
ALTER TABLE "autocdc"."floor_7"
  ADD COLUMN "__snapshot" boolean NOT NULL DEFAULT false,
  ADD COLUMN "__seen_at" timestamptz NOT NULL DEFAULT now()
