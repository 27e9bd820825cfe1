-- The system times from which on something may be believed that was not before.
INSERT INTO "pg_temp"."epoch_7" ("__id", "__grp", "__sys")
SELECT row_number() OVER (ORDER BY x."__grp", x."__sys"), x."__grp", x."__sys"
FROM (
  SELECT DISTINCT k."__grp", k."__sys"
  FROM "pg_temp"."known_7" AS k
  JOIN "pg_temp"."late_7" AS l ON l."__grp" = k."__grp" AND k."__sys" >= l."__sys"
) AS x
