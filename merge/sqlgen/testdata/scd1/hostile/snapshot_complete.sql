-- Whether the snapshot has each of the target's keys once: without its fresh rows it has as many rows, and the hashes of
-- their keys have the same sum.
SELECT s.rows - f.rows = t.rows AND s.hashes - f.hashes = t.hashes
FROM (SELECT count(*) AS rows, COALESCE(sum(hash_record_extended(ROW(s."k""1", s."select"), 0)), 0) AS hashes FROM "autocdc"."snapshot_3" AS s) AS s,
  (SELECT count(*) AS rows, COALESCE(sum(hash_record_extended(ROW(c."k""1", c."select"), 0)), 0) AS hashes FROM "pg_temp"."changed_8" AS c WHERE c."__fresh") AS f,
  (SELECT count(*) AS rows, COALESCE(sum(hash_record_extended(ROW(t."k""1", t."select"), 0)), 0) AS hashes FROM "my""s"."Größe%s" AS t) AS t
