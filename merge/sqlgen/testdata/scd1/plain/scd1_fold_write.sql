INSERT INTO "crm"."users" AS t ("id", "name", "city", "__sequence")
SELECT f."id", f."name", f."city", f."__seq"
FROM (SELECT max(s."__n") AS "__n" FROM "pg_temp"."fold_step_7" AS s GROUP BY s."__grp") AS last
JOIN "pg_temp"."fold_7" AS f ON f."__pos" = last."__n"
WHERE f."__kind" = 'u'
ON CONFLICT ("id") DO UPDATE
SET "id" = EXCLUDED."id", "name" = EXCLUDED."name", "city" = EXCLUDED."city", "__sequence" = EXCLUDED."__sequence"
WHERE NOT record_image_eq(ROW(t."id", t."name", t."city", t."__sequence"), ROW(EXCLUDED."id", EXCLUDED."name", EXCLUDED."city", EXCLUDED."__sequence"))
