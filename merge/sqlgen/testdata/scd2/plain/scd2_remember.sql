-- Events that leave no trace in the target, and the first of each run that goes on.
INSERT INTO "autocdc"."shadow_7" ("id", "name", "city", "__seq", "__kind", "__missing", "__flow")
SELECT e."id", e."name", e."city", s.seq, e."__kind", e."__missing", e."__flow"
FROM (
  SELECT x.n, x.seq, x.what, lead(x.what) OVER (PARTITION BY x.grp ORDER BY x.seq) AS next
  FROM "pg_temp"."step_7" AS x
  WHERE NOT x.late
) AS s
JOIN "pg_temp"."events_7" AS e ON e."__n" = s.n
WHERE s.what IN ('=', '-') OR s.next = '='
UNION ALL
SELECT t."id", t."name", t."city", t."__start_at", 'u', NULL, NULL
FROM "pg_temp"."run_7" AS r
JOIN "crm"."users" AS t ON t.ctid = r.row_id
WHERE r.leads AND r.what = '='
ON CONFLICT ("id", "__seq") DO NOTHING
