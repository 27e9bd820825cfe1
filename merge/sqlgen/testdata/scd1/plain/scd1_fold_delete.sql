DELETE FROM "crm"."users" AS t
USING "pg_temp"."late_7" AS l
WHERE t."id" = l."id"
  AND (
    SELECT f.op
    FROM "pg_temp"."fold_step_7" AS s
    JOIN "pg_temp"."fold_7" AS f ON f.pos = s.n
    WHERE s.grp = l.grp
    ORDER BY s.n DESC
    LIMIT 1
  ) = 'd'
