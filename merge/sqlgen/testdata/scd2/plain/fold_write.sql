INSERT INTO "crm"."users" AS t ("id", "name", "city", "__start_at", "__end_at")
SELECT f."id", f."name", f."city", r."__seq", r."__next_seq"
FROM "pg_temp"."fold_run_7" AS r
JOIN "pg_temp"."fold_7" AS f ON f."__pos" = r."__last_n"
WHERE r."__what" = 'u'
ORDER BY r."__grp", r."__seq"
ON CONFLICT ("id", "__start_at") DO UPDATE
SET "id" = EXCLUDED."id", "name" = EXCLUDED."name", "city" = EXCLUDED."city", "__end_at" = EXCLUDED."__end_at"
WHERE NOT record_image_eq(ROW(t."id", t."name", t."city", t."__end_at"), ROW(EXCLUDED."id", EXCLUDED."name", EXCLUDED."city", EXCLUDED."__end_at"))
