-- The same for events that may be late. A key is late if the batch reaches back to or before something known of it.
INSERT INTO "pg_temp"."step_7" (n, grp, seq, what, row_id, late)
SELECT c.n, c.grp, c.seq, c.what, c.row_id, bool_or(c.late) OVER (PARTITION BY c.grp)
FROM (
  SELECT e."__n" AS n, l.grp, l.seq,
    CASE
      WHEN e."__kind" = 'd' THEN CASE WHEN CASE WHEN l.prev IS NULL THEN r.row_id IS NOT NULL AND r."__end_at" IS NULL ELSE p."__kind" = 'u' END THEN 'd' ELSE '-' END
      WHEN CASE WHEN l.prev IS NULL THEN r.row_id IS NOT NULL AND r."__end_at" IS NULL ELSE p."__kind" = 'u' END AND CASE
        WHEN l.prev IS NULL THEN record_image_eq(ROW(e."id", e."name", e."city"), ROW(r."id", r."name", r."city"))
        ELSE record_image_eq(ROW(e."id", e."name", e."city"), ROW(p."id", p."name", p."city"))
      END THEN '='
      ELSE 'u'
    END AS what,
    CASE WHEN r."__end_at" IS NULL THEN r.row_id END AS row_id,
    COALESCE(r."__start_at" >= l.seq OR r."__end_at" > l.seq, false)
      OR l.partial
      OR l.prev IS NULL AND (
        COALESCE((SELECT f."__seq" FROM "autocdc"."floor_7" AS f ORDER BY f."__seq" DESC LIMIT 1) >= l.seq, false)
        OR EXISTS (SELECT FROM "autocdc"."shadow_7" AS h WHERE h."id" = e."id" AND h."__seq" >= l.seq)
      ) AS late
  FROM (
    SELECT x.n, x.seq, x.partial,
      first_value(x.n) OVER same_key AS grp,
      lag(x.n) OVER same_key AS prev
    FROM (
      SELECT DISTINCT ON (y."id", y."__seq") y."__n" AS n, y."__seq" AS seq, y."id",
        y."__missing" IS NOT NULL AS partial
      FROM "pg_temp"."events_7" AS y
      WHERE y."__kind" <> 't'
      ORDER BY y."id", y."__seq", y."__flow" DESC NULLS LAST, y."__n" DESC
    ) AS x
    WINDOW same_key AS (PARTITION BY x."id" ORDER BY x.seq)
  ) AS l
  JOIN "pg_temp"."events_7" AS e ON e."__n" = l.n
  LEFT JOIN "pg_temp"."events_7" AS p ON p."__n" = l.prev
  LEFT JOIN LATERAL (
  SELECT t.ctid AS row_id, t."__start_at", t."__end_at", t."id", t."name", t."city"
  FROM "crm"."users" AS t
  WHERE t."id" = e."id"
  ORDER BY t."__start_at" DESC
  LIMIT 1
) AS r ON l.prev IS NULL
) AS c
