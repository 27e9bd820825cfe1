INSERT INTO "autocdc"."shadow_7" ("id", "name", "city", "__seq", "__kind", "__missing", "__flow")
SELECT f."id", f."name", f."city", s.seq, f.op, s.missing, f.flow
FROM (
  SELECT x.n, x.seq, x.what, x.missing, x.floor, lead(x.what) OVER (PARTITION BY x.grp ORDER BY x.seq) AS next
  FROM "pg_temp"."fold_step_7" AS x
) AS s
JOIN "pg_temp"."fold_7" AS f ON f.pos = s.n
WHERE NOT s.floor
  AND (s.what IN ('=', '-') OR s.next = '=' OR s.missing IS NOT NULL)
ON CONFLICT ("id", "__seq") DO NOTHING
