-- Keys of the snapshot that are null or come twice, a few of them; those that
-- the target has are counted otherwise.
SELECT CAST(ROW(s."id") AS text), count(*), s."id" IS NULL
FROM "pg_temp"."changed_7" AS s
WHERE s."__fresh"
GROUP BY s."id"
HAVING count(*) > 1 OR s."id" IS NULL
LIMIT 5
