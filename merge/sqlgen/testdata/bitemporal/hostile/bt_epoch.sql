-- The system times from which on something may be believed that was not before.
INSERT INTO "pg_temp"."epoch_8" (id, grp, sys)
SELECT row_number() OVER (ORDER BY x.grp, x.sys), x.grp, x.sys
FROM (
  SELECT DISTINCT k.grp, k.sys
  FROM "pg_temp"."known_8" AS k
  JOIN "pg_temp"."late_8" AS l ON l.grp = k.grp AND k.sys >= l.sys
) AS x
