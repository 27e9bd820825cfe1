DELETE FROM "crm"."users" AS t
USING "pg_temp"."late_7" AS l
JOIN (SELECT s."__grp", max(s."__n") AS "__n" FROM "pg_temp"."fold_step_7" AS s GROUP BY s."__grp") AS last ON last."__grp" = l."__grp"
JOIN "pg_temp"."fold_7" AS f ON f."__pos" = last."__n"
WHERE t."id" = l."id" AND f."__kind" = 'd'
