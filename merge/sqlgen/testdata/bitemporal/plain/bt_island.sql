-- Epochs in a row that hold the same version make one row of the target.
INSERT INTO "pg_temp"."island_7" ("__grp", "__epoch", "__sys", "__seq", "__system_end")
SELECT i."__grp", i."__epoch", i."__sys", i."__seq", e."__sys"
FROM (
  SELECT DISTINCT ON (c."__grp", c."__seq", c."__island") c."__grp", c."__seq", c."__epoch", c."__sys",
    max(c."__epoch") OVER (PARTITION BY c."__grp", c."__seq", c."__island") AS "__last_epoch"
  FROM (
    SELECT b."__grp", b."__seq", b."__epoch", b."__sys",
      count(*) FILTER (WHERE p."__epoch" IS NULL) OVER (PARTITION BY b."__grp", b."__seq" ORDER BY b."__epoch") AS "__island"
    FROM "pg_temp"."belief_7" AS b
    LEFT JOIN "pg_temp"."belief_7" AS p ON p."__grp" = b."__grp" AND p."__epoch" = b."__epoch" - 1 AND p."__seq" = b."__seq"
      AND record_image_eq(ROW(p."__next_seq", p."id", p."name", p."city"), ROW(b."__next_seq", b."id", b."name", b."city"))
  ) AS c
  ORDER BY c."__grp", c."__seq", c."__island", c."__epoch"
) AS i
LEFT JOIN "pg_temp"."epoch_7" AS e ON e."__grp" = i."__grp" AND e."__id" = i."__last_epoch" + 1
