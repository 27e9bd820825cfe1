INSERT INTO "autocdc"."shadow_8" ("k""1", "select", "Größe", "__seq", "__kind", "__missing", "__flow")
SELECT f."k""1", f."select", f."Größe", s."__seq", f."__kind", s."__missing", f."__flow"
FROM (
  SELECT x."__n", x."__seq", x."__what", x."__missing", x."__floor", lead(x."__what") OVER (PARTITION BY x."__grp" ORDER BY x."__seq") AS "__next"
  FROM "pg_temp"."fold_step_8" AS x
) AS s
JOIN "pg_temp"."fold_8" AS f ON f."__pos" = s."__n"
WHERE NOT s."__floor"
ON CONFLICT ("k""1", "select", "__seq") DO NOTHING
