DELETE FROM "crm"."users" AS d
USING "pg_temp"."late_7" AS l
CROSS JOIN LATERAL (
    -- by the index, whatever the statistics say: the rows of the key from its base on
    SELECT t.ctid AS "__row_id", t."__start_at", t."__end_at", t."id", t."name", t."city"
    FROM "crm"."users" AS t
    WHERE t."id" = l."id" AND t."__start_at" >= l."__base"
    UNION ALL
    SELECT t.ctid, t."__start_at", t."__end_at", t."id", t."name", t."city"
    FROM "crm"."users" AS t
    WHERE t."id" = l."id" AND l."__base" IS NULL
  ) AS t
LEFT JOIN "pg_temp"."fold_run_7" AS r ON r."__grp" = l."__grp" AND r."__what" = 'u' AND r."__seq" = t."__start_at"
WHERE d.ctid = t."__row_id" AND r."__grp" IS NULL
