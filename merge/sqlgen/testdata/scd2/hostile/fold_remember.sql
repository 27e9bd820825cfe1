INSERT INTO "autocdc"."shadow_8" ("k""1", "select", "Größe", "__seq", "__kind", "__missing", "__flow")
SELECT f."k""1", f."select", f."Größe", s.seq, f.op, s.missing, f.flow
FROM (
  SELECT x.n, x.seq, x.what, x.missing, x.floor, lead(x.what) OVER (PARTITION BY x.grp ORDER BY x.seq) AS next
  FROM "pg_temp"."fold_step_8" AS x
) AS s
JOIN "pg_temp"."fold_8" AS f ON f.pos = s.n
WHERE NOT s.floor
ON CONFLICT ("k""1", "select", "__seq") DO NOTHING
