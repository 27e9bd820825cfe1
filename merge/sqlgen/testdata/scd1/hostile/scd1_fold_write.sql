INSERT INTO "my""s"."Größe%s" AS t ("k""1", "select", "Größe", "__sequence")
SELECT f."k""1", f."select", f."Größe", f."__seq"
FROM (SELECT max(s."__n") AS "__n" FROM "pg_temp"."fold_step_8" AS s GROUP BY s."__grp") AS last
JOIN "pg_temp"."fold_8" AS f ON f."__pos" = last."__n"
WHERE f."__kind" = 'u'
ON CONFLICT ("k""1", "select") DO UPDATE
SET "k""1" = EXCLUDED."k""1", "select" = EXCLUDED."select", "Größe" = EXCLUDED."Größe", "__sequence" = EXCLUDED."__sequence"
WHERE NOT record_image_eq(ROW(t."k""1", t."select", t."Größe", t."__sequence"), ROW(EXCLUDED."k""1", EXCLUDED."select", EXCLUDED."Größe", EXCLUDED."__sequence"))
