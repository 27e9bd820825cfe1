-- All events of the keys from their bases on, in order.
INSERT INTO "pg_temp"."known_7" (pos, grp, seq, sys, op, missing, flow, "id", "name", "city")
SELECT row_number() OVER (ORDER BY x.grp, x.seq, x.sys, x.flow NULLS FIRST, x.staged, x.n),
  x.grp, x.seq, x.sys, x.op, x.missing, x.flow, x."id", x."name", x."city"
FROM (
  -- what the batch brings
  SELECT l.grp, e."__seq" AS seq, e."__sys" AS sys, true AS staged, e."__n" AS n, e."__kind" AS op, e."__missing" AS missing, e."__flow" AS flow, e."id", e."name", e."city"
  FROM "pg_temp"."late_7" AS l
  JOIN "pg_temp"."events_7" AS e ON e."id" = l."id"
  WHERE e."__kind" <> 't'
  UNION ALL
  -- what the shadow remembers, which is everything that came
  SELECT l.grp, h."__seq", h."__sys", false, h."__arrival", h."__kind", CAST(h."__missing" AS bit(3)), h."__flow", h."id", h."name", h."city"
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
  -- the row of the base, should its event be forgotten
  SELECT l.grp, t."__start_at", t."__system_start_at", false, 0, 'u', NULL, NULL, t."id", t."name", t."city"
  FROM "pg_temp"."late_7" AS l
  JOIN "crm"."users" AS t ON t."id" = l."id" AND t."__start_at" = l.base AND t."__system_start_at" <= l.sys AND t."__system_end_at" IS NULL
  WHERE (SELECT true FROM "autocdc"."shadow_7" AS h WHERE h."id" = t."id" AND h."__seq" = t."__start_at" LIMIT 1) IS NULL
  UNION ALL
  -- truncates that are remembered
  SELECT l.grp, f."__seq", f."__sys", false, f."__arrival", 'd', NULL, f."__flow", l."id", NULL, NULL
  FROM "pg_temp"."late_7" AS l
  JOIN "autocdc"."floor_7" AS f ON l.base IS NULL OR f."__seq" > l.base
) AS x
