DELETE FROM "my""s"."Größe%s" AS t
USING "pg_temp"."late_8" AS l
JOIN (SELECT s."__grp", max(s."__n") AS "__n" FROM "pg_temp"."fold_step_8" AS s GROUP BY s."__grp") AS last ON last."__grp" = l."__grp"
JOIN "pg_temp"."fold_8" AS f ON f."__pos" = last."__n"
WHERE t."k""1" = l."k""1" AND t."select" = l."select" AND f."__kind" = 'd'
