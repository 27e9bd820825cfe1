-- The versions of each epoch, and as epoch before the first those that the target held.
INSERT INTO "pg_temp"."belief_7" (grp, epoch, sys, seq, next_seq, "id", "name", "city")
SELECT e.grp, e.id, e.sys, r.seq, r.next_seq, f."id", f."name", f."city"
FROM "pg_temp"."fold_run_7" AS r
JOIN "pg_temp"."epoch_7" AS e ON e.id = r.grp
JOIN "pg_temp"."fold_7" AS f ON f.pos = r.last_n
WHERE r.what = 'u'
UNION ALL
SELECT l.grp, e.before, t."__system_start_at", t."__start_at", t."__end_at", t."id", t."name", t."city"
FROM "pg_temp"."late_7" AS l
JOIN (SELECT x.grp, min(x.id) - 1 AS before FROM "pg_temp"."epoch_7" AS x GROUP BY x.grp) AS e ON e.grp = l.grp
CROSS JOIN LATERAL (
    -- by the index, whatever the statistics say: the rows of the key from its base on
    SELECT t.ctid AS row_id, t."__start_at", t."__end_at", t."__system_start_at", t."__system_end_at", t."id", t."name", t."city"
    FROM "crm"."users" AS t
    WHERE t."id" = l."id" AND t."__start_at" >= l.base
    UNION ALL
    SELECT t.ctid, t."__start_at", t."__end_at", t."__system_start_at", t."__system_end_at", t."id", t."name", t."city"
    FROM "crm"."users" AS t
    WHERE t."id" = l."id" AND l.base IS NULL
  ) AS t
WHERE t."__system_start_at" < l.sys AND (t."__system_end_at" IS NULL OR t."__system_end_at" >= l.sys)
