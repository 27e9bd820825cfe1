DELETE FROM "crm"."users" AS t
USING "pg_temp"."late_7" AS l
WHERE t."id" = l."id"
  AND (l.base IS NULL OR t."__start_at" >= l.base)
  AND t."__system_start_at" >= l.sys
  AND NOT EXISTS (SELECT FROM "pg_temp"."island_7" AS i WHERE i.grp = l.grp AND i.seq = t."__start_at" AND i.sys = t."__system_start_at")
