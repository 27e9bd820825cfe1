DELETE FROM "my""s"."Größe%s" AS t
USING "pg_temp"."late_8" AS l
WHERE t."k""1" = l."k""1" AND t."select" = l."select"
  AND (l.base IS NULL OR t."__start_at" >= l.base)
  AND NOT EXISTS (SELECT FROM "pg_temp"."fold_run_8" AS r WHERE r.grp = l.grp AND r.what = 'u' AND r.seq = t."__start_at")
