-- Every key of the batch.
INSERT INTO "pg_temp"."late_8" ("__grp", "k""1", "select")
SELECT row_number() OVER (), k."k""1", k."select"
FROM (
  SELECT e."k""1", e."select" FROM "pg_temp"."events_8" AS e WHERE e."__kind" <> 't'
  GROUP BY e."k""1", e."select"
) AS k
