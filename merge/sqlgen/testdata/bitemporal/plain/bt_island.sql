-- Epochs in a row that hold the same version make one row of the target.
INSERT INTO "pg_temp"."island_7" (grp, epoch, sys, seq, system_end)
SELECT i.grp, i.epoch, i.sys, i.seq, e.sys
FROM (
  SELECT DISTINCT ON (c.grp, c.seq, c.island) c.grp, c.seq, c.epoch, c.sys,
    max(c.epoch) OVER (PARTITION BY c.grp, c.seq, c.island) AS last_epoch
  FROM (
    SELECT b.grp, b.seq, b.epoch, b.sys,
      count(*) FILTER (WHERE p.epoch IS NULL) OVER (PARTITION BY b.grp, b.seq ORDER BY b.epoch) AS island
    FROM "pg_temp"."belief_7" AS b
    LEFT JOIN "pg_temp"."belief_7" AS p ON p.grp = b.grp AND p.epoch = b.epoch - 1 AND p.seq = b.seq
      AND record_image_eq(ROW(p.next_seq, p."id", p."name", p."city"), ROW(b.next_seq, b."id", b."name", b."city"))
  ) AS c
  ORDER BY c.grp, c.seq, c.island, c.epoch
) AS i
LEFT JOIN "pg_temp"."epoch_7" AS e ON e.grp = i.grp AND e.id = i.last_epoch + 1
