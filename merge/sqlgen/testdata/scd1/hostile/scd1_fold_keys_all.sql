-- Every key of the batch, of the target and of the shadow.
INSERT INTO "pg_temp"."late_8" ("__grp", "k""1", "select")
SELECT row_number() OVER (), k."k""1", k."select"
FROM (
  SELECT e."k""1", e."select" FROM "pg_temp"."events_8" AS e WHERE e."__kind" <> 't'
  UNION
  SELECT t."k""1", t."select" FROM "my""s"."Größe%s" AS t
  UNION
  SELECT h."k""1", h."select" FROM "autocdc"."shadow_8" AS h
) AS k
