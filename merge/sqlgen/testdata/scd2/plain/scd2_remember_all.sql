-- Events that leave no trace in the target, and the first of each run that goes on.
INSERT INTO "autocdc"."shadow_7" ("id", "name", "city", "__seq", "__kind", "__missing", "__flow")
SELECT e."id", e."name", e."city", s."__seq", e."__kind", e."__missing", e."__flow"
FROM (
  SELECT x."__n", x."__seq", x."__what", lead(x."__what") OVER (PARTITION BY x."__grp" ORDER BY x."__seq") AS "__next"
  FROM "pg_temp"."step_7" AS x
  WHERE NOT x."__late"
) AS s
JOIN "pg_temp"."events_7" AS e ON e."__n" = s."__n"
WHERE s."__what" IN ('=', '-') OR s."__next" = '='
UNION ALL
SELECT t."id", t."name", t."city", t."__start_at", 'u', NULL, NULL
FROM "pg_temp"."run_7" AS r
JOIN "crm"."users" AS t ON t.ctid = r."__row_id"
WHERE r."__leads" AND r."__what" = '='
ON CONFLICT ("id", "__seq") DO NOTHING
