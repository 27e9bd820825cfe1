-- Events that leave no trace in the target, and the first of each run that goes on.
INSERT INTO "autocdc"."shadow_8" ("k""1", "select", "Größe", "__seq", "__kind", "__missing", "__flow")
SELECT e."k""1", e."select", e."Größe", s."__seq", e."__kind", e."__missing", e."__flow"
FROM (
  SELECT x."__n", x."__seq", x."__what", lead(x."__what") OVER (PARTITION BY x."__grp" ORDER BY x."__seq") AS "__next"
  FROM "pg_temp"."step_8" AS x
  WHERE NOT x."__late"
) AS s
JOIN "pg_temp"."events_8" AS e ON e."__n" = s."__n"
UNION ALL
SELECT t."k""1", t."select", t."Größe", t."__start_at", 'u', NULL, NULL
FROM "pg_temp"."run_8" AS r
JOIN "my""s"."Größe%s" AS t ON t.ctid = r."__row_id"
WHERE r."__leads" AND r."__what" = '='
ON CONFLICT ("k""1", "select", "__seq") DO NOTHING
