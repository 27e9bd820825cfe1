-- Whether the snapshot has each of the target's keys once: without its fresh rows it has as many rows, and the hashes of
-- their keys have the same sum.
SELECT s.rows - f.rows = t.rows AND s.hashes - f.hashes = t.hashes
FROM (SELECT count(*) AS rows, COALESCE(sum(hash_record_extended(ROW(s."id"), 0)), 0) AS hashes FROM "autocdc"."snapshot_3" AS s) AS s,
  (SELECT count(*) AS rows, COALESCE(sum(hash_record_extended(ROW(c."id"), 0)), 0) AS hashes FROM "pg_temp"."changed_7" AS c WHERE c."__fresh") AS f,
  (SELECT count(*) AS rows, COALESCE(sum(hash_record_extended(ROW(t."id"), 0)), 0) AS hashes FROM (
  SELECT t."id", t."name", t."city", t."__start_at"
  FROM "crm"."users" AS t
  WHERE t."__end_at" IS NULL
) AS t) AS t
