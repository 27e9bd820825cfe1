DELETE FROM "crm"."users" AS t
USING "pg_temp"."late_7" AS l
WHERE t."id" = l."id"
  AND (l.base IS NULL OR t."__start_at" >= l.base)
  AND NOT EXISTS (SELECT FROM "pg_temp"."fold_run_7" AS r WHERE r.grp = l.grp AND r.what = 'u' AND r.seq = t."__start_at")
