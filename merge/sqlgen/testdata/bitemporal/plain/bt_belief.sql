-- The versions of each epoch, and as epoch before the first those that the target held.
INSERT INTO "pg_temp"."belief_7" ("__grp", "__epoch", "__sys", "__seq", "__next_seq", "id", "name", "city")
SELECT e."__grp", e."__id", e."__sys", r."__seq", r."__next_seq", f."id", f."name", f."city"
FROM "pg_temp"."fold_run_7" AS r
JOIN "pg_temp"."epoch_7" AS e ON e."__id" = r."__grp"
JOIN "pg_temp"."fold_7" AS f ON f."__pos" = r."__last_n"
WHERE r."__what" = 'u'
UNION ALL
SELECT l."__grp", e."__before", t."__system_start_at", t."__start_at", t."__end_at", t."id", t."name", t."city"
FROM "pg_temp"."late_7" AS l
JOIN (SELECT x."__grp", min(x."__id") - 1 AS "__before" FROM "pg_temp"."epoch_7" AS x GROUP BY x."__grp") AS e ON e."__grp" = l."__grp"
CROSS JOIN LATERAL (
    -- by the index, whatever the statistics say: the rows of the key from its base on
    SELECT t.ctid AS "__row_id", t."__start_at", t."__end_at", t."__system_start_at", t."__system_end_at", t."id", t."name", t."city"
    FROM "crm"."users" AS t
    WHERE t."id" = l."id" AND t."__start_at" >= l."__base"
    UNION ALL
    SELECT t.ctid, t."__start_at", t."__end_at", t."__system_start_at", t."__system_end_at", t."id", t."name", t."city"
    FROM "crm"."users" AS t
    WHERE t."id" = l."id" AND l."__base" IS NULL
  ) AS t
WHERE t."__system_start_at" < l."__sys" AND (t."__system_end_at" IS NULL OR t."__system_end_at" >= l."__sys")
