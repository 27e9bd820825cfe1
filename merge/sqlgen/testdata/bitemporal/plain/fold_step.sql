-- Events of one sequence count as one: the state after the last of them, the columns that any of them carried.
INSERT INTO "pg_temp"."fold_step_7" (n, grp, seq, what, late, missing, floor)
SELECT c.pos, c.grp, c.seq,
  CASE
    WHEN f.op = 'd' THEN CASE WHEN p.op = 'u' THEN 'd' ELSE '-' END
    WHEN p.op = 'u' AND record_image_eq(ROW(f."id", f."name", f."city"), ROW(p."id", p."name", p."city")) THEN '='
    ELSE 'u'
  END,
  false, c.missing, f.floor
FROM (
  SELECT u.pos, u.grp, u.seq, u.missing, lag(u.pos) OVER (PARTITION BY u.grp ORDER BY u.pos) AS prev
  FROM (
    SELECT DISTINCT ON (y.grp, y.seq) y.pos, y.grp, y.seq,
      CASE WHEN NOT bool_or(y.missing IS NULL) OVER tie THEN bit_and(y.missing) OVER tie END AS missing
    FROM "pg_temp"."fold_7" AS y
    WINDOW tie AS (PARTITION BY y.grp, y.seq)
    ORDER BY y.grp, y.seq, y.pos DESC
  ) AS u
) AS c
JOIN "pg_temp"."fold_7" AS f ON f.pos = c.pos
LEFT JOIN "pg_temp"."fold_7" AS p ON p.pos = c.prev
