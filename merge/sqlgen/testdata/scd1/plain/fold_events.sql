-- All events of the late keys from their bases on, in order.
INSERT INTO "pg_temp"."fold_7" (pos, grp, seq, op, missing, flow, floor, "id", "name", "city")
SELECT row_number() OVER (ORDER BY x.grp, x.seq, x.flow NULLS FIRST, x.staged, x.n),
  x.grp, x.seq, x.op, x.missing, x.flow, x.floor, x."id", x."name", x."city"
FROM (
  -- what the batch brings
  SELECT l.grp, e."__seq" AS seq, true AS staged, e."__n" AS n, e."__kind" AS op, e."__missing" AS missing, e."__flow" AS flow, false AS floor, e."id", e."name", e."city"
  FROM "pg_temp"."late_7" AS l
  JOIN "pg_temp"."events_7" AS e ON e."id" = l."id"
  WHERE e."__kind" <> 't'
  UNION ALL
  -- what the shadow remembers; of the base the whole state counts
  SELECT l.grp, h."__seq", false, 1, h."__kind", CASE WHEN h."__seq" <> l.base OR l.base IS NULL THEN CAST(h."__missing" AS bit(3)) END, h."__flow", false, h."id", h."name", h."city"
  FROM "pg_temp"."late_7" AS l
  CROSS JOIN LATERAL (
    SELECT h.*
    FROM "autocdc"."shadow_7" AS h
    WHERE h."id" = l."id" AND h."__seq" >= l.base
    UNION ALL
    SELECT h.*
    FROM "autocdc"."shadow_7" AS h
    WHERE h."id" = l."id" AND l.base IS NULL
  ) AS h
  UNION ALL
  -- the rows of the target
  SELECT l.grp, t."__sequence", false, 1, 'u', NULL, NULL, false, t."id", t."name", t."city"
  FROM "pg_temp"."late_7" AS l
  CROSS JOIN LATERAL (
    -- by the index, whatever the statistics say: the rows of the key from its base on
    SELECT t.ctid AS row_id, t."__sequence", t."id", t."name", t."city"
    FROM "crm"."users" AS t
    WHERE t."id" = l."id" AND t."__sequence" >= l.base
    UNION ALL
    SELECT t.ctid, t."__sequence", t."id", t."name", t."city"
    FROM "crm"."users" AS t
    WHERE t."id" = l."id" AND l.base IS NULL
  ) AS t
  WHERE (SELECT true FROM "autocdc"."shadow_7" AS h WHERE h."id" = t."id" AND h."__seq" = t."__sequence" LIMIT 1) IS NULL
  UNION ALL
  -- truncates that are remembered
  SELECT l.grp, f."__seq", false, 0, 'd', NULL, f."__flow", true, l."id", NULL, NULL
  FROM "pg_temp"."late_7" AS l
  JOIN "autocdc"."floor_7" AS f ON l.base IS NULL OR f."__seq" > l.base
) AS x
