-- The system times from which on something may be believed that was not before.
INSERT INTO "pg_temp"."epoch_7" (id, grp, sys)
SELECT row_number() OVER (ORDER BY x.grp, x.sys), x.grp, x.sys
FROM (
  SELECT DISTINCT k.grp, k.sys
  FROM "pg_temp"."known_7" AS k
  JOIN "pg_temp"."late_7" AS l ON l.grp = k.grp AND k.sys >= l.sys
) AS x
