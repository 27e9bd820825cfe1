DELETE FROM "my""s"."Größe%s" AS t
USING "pg_temp"."late_8" AS l
JOIN (SELECT s.grp, max(s.n) AS n FROM "pg_temp"."fold_step_8" AS s GROUP BY s.grp) AS last ON last.grp = l.grp
JOIN "pg_temp"."fold_8" AS f ON f.pos = last.n
WHERE t."k""1" = l."k""1" AND t."select" = l."select" AND f.op = 'd'
