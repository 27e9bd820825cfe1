-- The versions of each epoch, and as epoch before the first those that the target held.
INSERT INTO "pg_temp"."belief_8" (grp, epoch, sys, seq, next_seq, "k""1", "select", "Größe")
SELECT e.grp, e.id, e.sys, r.seq, r.next_seq, f."k""1", f."select", f."Größe"
FROM "pg_temp"."fold_run_8" AS r
JOIN "pg_temp"."epoch_8" AS e ON e.id = r.grp
JOIN "pg_temp"."fold_8" AS f ON f.pos = r.last_n
WHERE r.what = 'u'
UNION ALL
SELECT l.grp, e.before, t."__system_start_at", t."__start_at", t."__end_at", t."k""1", t."select", t."Größe"
FROM "pg_temp"."late_8" AS l
JOIN (SELECT x.grp, min(x.id) - 1 AS before FROM "pg_temp"."epoch_8" AS x GROUP BY x.grp) AS e ON e.grp = l.grp
CROSS JOIN LATERAL (
    -- by the index, whatever the statistics say: the rows of the key from its base on
    SELECT t.ctid AS row_id, t."__start_at", t."__end_at", t."__system_start_at", t."__system_end_at", t."k""1", t."select", t."Größe"
    FROM "my""s"."Größe%s" AS t
    WHERE t."k""1" = l."k""1" AND t."select" = l."select" AND t."__start_at" >= l.base
    UNION ALL
    SELECT t.ctid, t."__start_at", t."__end_at", t."__system_start_at", t."__system_end_at", t."k""1", t."select", t."Größe"
    FROM "my""s"."Größe%s" AS t
    WHERE t."k""1" = l."k""1" AND t."select" = l."select" AND l.base IS NULL
  ) AS t
WHERE t."__system_start_at" < l.sys AND (t."__system_end_at" IS NULL OR t."__system_end_at" >= l.sys)
