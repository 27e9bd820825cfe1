-- The same where no key has two events.
INSERT INTO "pg_temp"."step_8" ("__n", "__grp", "__seq", "__what", "__row_id", "__late")
SELECT e."__n", e."__n", e."__seq",
  CASE
    WHEN e."__kind" = 'd' THEN CASE WHEN (r."__row_id" IS NOT NULL AND r."__end_at" IS NULL) THEN 'd' ELSE '-' END
    WHEN (r."__row_id" IS NOT NULL AND r."__end_at" IS NULL) AND record_image_eq(ROW(e."Größe"), ROW(r."Größe")) THEN '='
    ELSE 'u'
  END,
  CASE WHEN r."__end_at" IS NULL THEN r."__row_id" END,
  COALESCE(r."__start_at" >= e."__seq" OR r."__end_at" >= e."__seq", false)
    OR e."__missing" IS NOT NULL
    OR COALESCE((SELECT f."__seq" FROM "autocdc"."floor_8" AS f ORDER BY f."__seq" DESC LIMIT 1) >= e."__seq", false)
FROM "pg_temp"."events_8" AS e
LEFT JOIN LATERAL (
  SELECT t.ctid AS "__row_id", t."__start_at", t."__end_at", t."k""1", t."select", t."Größe"
  FROM "my""s"."Größe%s" AS t
  WHERE t."k""1" = e."k""1" AND t."select" = e."select"
  ORDER BY t."__start_at" DESC
  LIMIT 1
) AS r ON true
WHERE e."__kind" <> 't'
