DELETE FROM "my""s"."Größe%s" AS t
USING "pg_temp"."late_8" AS l
WHERE t."k""1" = l."k""1" AND t."select" = l."select"
  AND (
    SELECT f.op
    FROM "pg_temp"."fold_step_8" AS s
    JOIN "pg_temp"."fold_8" AS f ON f.pos = s.n
    WHERE s.grp = l.grp
    ORDER BY s.n DESC
    LIMIT 1
  ) = 'd'
