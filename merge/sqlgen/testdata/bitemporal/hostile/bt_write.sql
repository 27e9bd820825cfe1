INSERT INTO "my""s"."Größe%s" AS t ("k""1", "select", "Größe", "__start_at", "__end_at", "__system_start_at", "__system_end_at")
SELECT b."k""1", b."select", b."Größe", i."__seq", b."__next_seq", i."__sys", i."__system_end"
FROM "pg_temp"."island_8" AS i
JOIN "pg_temp"."belief_8" AS b ON b."__grp" = i."__grp" AND b."__epoch" = i."__epoch" AND b."__seq" = i."__seq"
ORDER BY i."__grp", i."__seq", i."__sys"
ON CONFLICT ("k""1", "select", "__start_at", "__system_start_at") DO UPDATE
SET "k""1" = EXCLUDED."k""1", "select" = EXCLUDED."select", "Größe" = EXCLUDED."Größe", "__end_at" = EXCLUDED."__end_at", "__system_end_at" = EXCLUDED."__system_end_at"
WHERE NOT record_image_eq(ROW(t."k""1", t."select", t."Größe", t."__end_at", t."__system_end_at"), ROW(EXCLUDED."k""1", EXCLUDED."select", EXCLUDED."Größe", EXCLUDED."__end_at", EXCLUDED."__system_end_at"))
