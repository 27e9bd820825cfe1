DELETE FROM "my""s"."Größe%s" AS t
USING "pg_temp"."late_8" AS l
WHERE t."k""1" = l."k""1" AND t."select" = l."select"
  AND (l.base IS NULL OR t."__start_at" >= l.base)
  AND t."__system_start_at" >= l.sys
  AND NOT EXISTS (SELECT FROM "pg_temp"."island_8" AS i WHERE i.grp = l.grp AND i.seq = t."__start_at" AND i.sys = t."__system_start_at")
