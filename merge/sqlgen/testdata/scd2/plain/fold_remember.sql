INSERT INTO "autocdc"."shadow_7" ("id", "name", "city", "__seq", "__kind", "__missing", "__flow")
SELECT f."id", f."name", f."city", s."__seq", f."__kind", s."__missing", f."__flow"
FROM (
  SELECT x."__n", x."__seq", x."__what", x."__missing", x."__floor", lead(x."__what") OVER (PARTITION BY x."__grp" ORDER BY x."__seq") AS "__next"
  FROM "pg_temp"."fold_step_7" AS x
) AS s
JOIN "pg_temp"."fold_7" AS f ON f."__pos" = s."__n"
WHERE NOT s."__floor"
  AND (s."__what" IN ('=', '-') OR s."__next" = '=' OR s."__missing" IS NOT NULL)
ON CONFLICT ("id", "__seq") DO NOTHING
