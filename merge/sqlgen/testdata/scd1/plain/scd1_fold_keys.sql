-- Every key of the batch.
INSERT INTO "pg_temp"."late_7" ("__grp", "id")
SELECT row_number() OVER (), k."id"
FROM (
  SELECT e."id" FROM "pg_temp"."events_7" AS e WHERE e."__kind" <> 't'
  GROUP BY e."id"
) AS k
