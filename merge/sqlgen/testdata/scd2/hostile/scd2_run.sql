-- Runs of events that make one version: from its first event to the next that is not a continuation.
INSERT INTO "pg_temp"."run_8" (grp, run, what, seq, next_seq, last_n, row_id, leads)
SELECT r.grp, r.run, r.what, r.seq,
  lead(r.seq) OVER (PARTITION BY r.grp ORDER BY r.run),
  r.last_n, r.row_id,
  row_number() OVER (PARTITION BY r.grp ORDER BY r.run) = 1
FROM (
  SELECT DISTINCT ON (s.grp, s.run) s.grp, s.run, s.what, s.seq, s.row_id,
    last_value(s.n) OVER (PARTITION BY s.grp, s.run ORDER BY s.seq ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS last_n
  FROM (
    SELECT x.n, x.grp, x.seq, x.what,
      first_value(x.row_id) OVER same_key AS row_id,
      count(*) FILTER (WHERE x.what <> '=') OVER same_key AS run
    FROM "pg_temp"."step_8" AS x
    WHERE x.what <> '-' AND NOT x.late
    WINDOW same_key AS (PARTITION BY x.grp ORDER BY x.seq)
  ) AS s
  ORDER BY s.grp, s.run, s.seq
) AS r
