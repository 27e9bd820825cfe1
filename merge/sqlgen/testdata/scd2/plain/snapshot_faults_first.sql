-- Keys of the snapshot that are null or come twice, a few of them.
SELECT CAST(ROW(s."id") AS text), count(*), s."id" IS NULL
FROM "autocdc"."snapshot_3" AS s
GROUP BY s."id"
HAVING count(*) > 1 OR s."id" IS NULL
LIMIT 5
