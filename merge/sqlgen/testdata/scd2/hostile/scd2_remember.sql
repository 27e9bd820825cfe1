-- Events that leave no trace in the target, and the first of each run that goes on.
INSERT INTO "autocdc"."shadow_8" ("k""1", "select", "Größe", "__seq", "__kind", "__missing", "__flow")
SELECT e."k""1", e."select", e."Größe", s.seq, e."__kind", e."__missing", e."__flow"
FROM (
  SELECT x.n, x.seq, x.what, lead(x.what) OVER (PARTITION BY x.grp ORDER BY x.seq) AS next
  FROM "pg_temp"."step_8" AS x
  WHERE NOT x.late
) AS s
JOIN "pg_temp"."events_8" AS e ON e."__n" = s.n
UNION ALL
SELECT t."k""1", t."select", t."Größe", t."__start_at", 'u', NULL, NULL
FROM "pg_temp"."run_8" AS r
JOIN "my""s"."Größe%s" AS t ON t.ctid = r.row_id
WHERE r.leads AND r.what = '='
ON CONFLICT ("k""1", "select", "__seq") DO NOTHING
