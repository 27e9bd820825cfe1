-- The keys of the batch: sys is the earliest system time that changes,
-- base the newest start before the earliest event that is believed from sys on.
INSERT INTO "pg_temp"."late_8" ("__grp", "k""1", "select", "__base", "__sys")
SELECT row_number() OVER (), k."k""1", k."select",
  (
    SELECT t."__start_at"
    FROM "my""s"."Größe%s" AS t
    WHERE t."k""1" = k."k""1" AND t."select" = k."select" AND t."__start_at" < k."__first"
      AND t."__system_start_at" <= k."__sys" AND t."__system_end_at" IS NULL
    ORDER BY t."__start_at" DESC
    LIMIT 1
  ),
  k."__sys"
FROM (
  SELECT e."k""1", e."select", (array_agg(e."__seq" ORDER BY e."__seq"))[1] AS "__first", (array_agg(e."__sys" ORDER BY e."__sys"))[1] AS "__sys"
  FROM "pg_temp"."events_8" AS e
  GROUP BY e."k""1", e."select"
) AS k
