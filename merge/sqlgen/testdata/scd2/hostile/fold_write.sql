INSERT INTO "my""s"."Größe%s" AS t ("k""1", "select", "Größe", "__start_at", "__end_at")
SELECT f."k""1", f."select", f."Größe", r."__seq", r."__next_seq"
FROM "pg_temp"."fold_run_8" AS r
JOIN "pg_temp"."fold_8" AS f ON f."__pos" = r."__last_n"
WHERE r."__what" = 'u'
ORDER BY r."__grp", r."__seq"
ON CONFLICT ("k""1", "select", "__start_at") DO UPDATE
SET "k""1" = EXCLUDED."k""1", "select" = EXCLUDED."select", "Größe" = EXCLUDED."Größe", "__end_at" = EXCLUDED."__end_at"
WHERE NOT record_image_eq(ROW(t."k""1", t."select", t."Größe", t."__end_at"), ROW(EXCLUDED."k""1", EXCLUDED."select", EXCLUDED."Größe", EXCLUDED."__end_at"))
