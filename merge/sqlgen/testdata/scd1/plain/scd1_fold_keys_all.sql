-- Every key of the batch, of the target and of the shadow.
INSERT INTO "pg_temp"."late_7" ("__grp", "id")
SELECT row_number() OVER (), k."id"
FROM (
  SELECT e."id" FROM "pg_temp"."events_7" AS e WHERE e."__kind" <> 't'
  UNION
  SELECT t."id" FROM "crm"."users" AS t
  UNION
  SELECT h."id" FROM "autocdc"."shadow_7" AS h
) AS k
