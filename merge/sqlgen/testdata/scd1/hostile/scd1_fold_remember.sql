-- The last delete, the last upsert after it, and of each column the last upsert that carried it;
-- nothing where the last upsert carried all, for then the row says as much.
INSERT INTO "autocdc"."shadow_8" ("k""1", "select", "Größe", "__seq", "__kind", "__missing", "__flow")
SELECT f."k""1", f."select", f."Größe", f.seq, f.op, x.missing, f.flow
FROM (
  SELECT d.n, d.missing, d.floor, d.last_delete,
    max(d.n) OVER same_key AS last,
    bool_or(d.whole) OVER same_key AS whole
    , max(d.n) FILTER (WHERE NOT COALESCE(get_bit(d.__missing, 2), 0) = 1) OVER same_key AS last_2
  FROM (
    SELECT s.n, s.grp, s.missing, s.floor, s.missing AS "__missing",
      f.op = 'u' AND s.missing IS NULL AND s.n = max(s.n) OVER (PARTITION BY s.grp) AS whole,
      COALESCE(max(s.n) FILTER (WHERE f.op = 'd') OVER (PARTITION BY s.grp), 0) AS last_delete
    FROM "pg_temp"."fold_step_8" AS s
    JOIN "pg_temp"."fold_8" AS f ON f.pos = s.n
  ) AS d
  WHERE d.n >= d.last_delete
  WINDOW same_key AS (PARTITION BY d.grp)
) AS x
JOIN "pg_temp"."fold_8" AS f ON f.pos = x.n
WHERE NOT x.floor
  AND (x.n = x.last_delete OR x.n = x.last OR x.n = x.last_2)
