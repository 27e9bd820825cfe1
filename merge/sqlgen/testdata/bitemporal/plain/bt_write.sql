INSERT INTO "crm"."users" AS t ("id", "name", "city", "__start_at", "__end_at", "__system_start_at", "__system_end_at")
SELECT b."id", b."name", b."city", i."__seq", b."__next_seq", i."__sys", i."__system_end"
FROM "pg_temp"."island_7" AS i
JOIN "pg_temp"."belief_7" AS b ON b."__grp" = i."__grp" AND b."__epoch" = i."__epoch" AND b."__seq" = i."__seq"
ORDER BY i."__grp", i."__seq", i."__sys"
ON CONFLICT ("id", "__start_at", "__system_start_at") DO UPDATE
SET "id" = EXCLUDED."id", "name" = EXCLUDED."name", "city" = EXCLUDED."city", "__end_at" = EXCLUDED."__end_at", "__system_end_at" = EXCLUDED."__system_end_at"
WHERE NOT record_image_eq(ROW(t."id", t."name", t."city", t."__end_at", t."__system_end_at"), ROW(EXCLUDED."id", EXCLUDED."name", EXCLUDED."city", EXCLUDED."__end_at", EXCLUDED."__system_end_at"))
