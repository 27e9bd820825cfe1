-- Keys of the snapshot that are null or come twice, a few of them; those that
-- the target has are counted otherwise.
SELECT CAST(ROW(s."k""1", s."select") AS text), count(*), s."k""1" IS NULL OR s."select" IS NULL
FROM "pg_temp"."changed_8" AS s
WHERE s."__fresh"
GROUP BY s."k""1", s."select"
HAVING count(*) > 1 OR s."k""1" IS NULL OR s."select" IS NULL
LIMIT 5
