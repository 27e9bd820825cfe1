INSERT INTO "crm"."users" AS t ("id", "name", "city", "__sequence")
SELECT f."id", f."name", f."city", f.seq
FROM (SELECT max(s.n) AS n FROM "pg_temp"."fold_step_7" AS s GROUP BY s.grp) AS last
JOIN "pg_temp"."fold_7" AS f ON f.pos = last.n
WHERE f.op = 'u'
ON CONFLICT ("id") DO UPDATE
SET "id" = EXCLUDED."id", "name" = EXCLUDED."name", "city" = EXCLUDED."city", "__sequence" = EXCLUDED."__sequence"
WHERE NOT record_image_eq(ROW(t."id", t."name", t."city", t."__sequence"), ROW(EXCLUDED."id", EXCLUDED."name", EXCLUDED."city", EXCLUDED."__sequence"))
