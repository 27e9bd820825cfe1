-- The rows are found first, so that no plan reads the target to join it by ctid.
DELETE FROM "my""s"."Größe%s" AS d
WHERE d.ctid = ANY (ARRAY(
  SELECT t."__row_id"
  FROM "pg_temp"."late_8" AS l
  CROSS JOIN LATERAL (
    -- by the index, whatever the statistics say: the rows of the key from its base on
    SELECT t.ctid AS "__row_id", t."__start_at", t."__end_at", t."__system_start_at", t."__system_end_at", t."k""1", t."select", t."Größe"
    FROM "my""s"."Größe%s" AS t
    WHERE t."k""1" = l."k""1" AND t."select" = l."select" AND t."__start_at" >= l."__base"
    UNION ALL
    SELECT t.ctid, t."__start_at", t."__end_at", t."__system_start_at", t."__system_end_at", t."k""1", t."select", t."Größe"
    FROM "my""s"."Größe%s" AS t
    WHERE t."k""1" = l."k""1" AND t."select" = l."select" AND l."__base" IS NULL
  ) AS t
  LEFT JOIN "pg_temp"."island_8" AS i ON i."__grp" = l."__grp" AND i."__seq" = t."__start_at" AND i."__sys" = t."__system_start_at"
  WHERE t."__system_start_at" >= l."__sys" AND i."__grp" IS NULL
))
