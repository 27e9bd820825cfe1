DELETE FROM "crm"."users" AS t
USING "pg_temp"."late_7" AS l
JOIN (SELECT s.grp, max(s.n) AS n FROM "pg_temp"."fold_step_7" AS s GROUP BY s.grp) AS last ON last.grp = l.grp
JOIN "pg_temp"."fold_7" AS f ON f.pos = last.n
WHERE t."id" = l."id" AND f.op = 'd'
