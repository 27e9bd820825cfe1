DELETE FROM "my""s"."Größe%s" AS d
USING "pg_temp"."late_8" AS l
CROSS JOIN LATERAL (
    -- by the index, whatever the statistics say: the rows of the key from its base on
    SELECT t.ctid AS row_id, t."__start_at", t."__end_at", t."k""1", t."select", t."Größe"
    FROM "my""s"."Größe%s" AS t
    WHERE t."k""1" = l."k""1" AND t."select" = l."select" AND t."__start_at" >= l.base
    UNION ALL
    SELECT t.ctid, t."__start_at", t."__end_at", t."k""1", t."select", t."Größe"
    FROM "my""s"."Größe%s" AS t
    WHERE t."k""1" = l."k""1" AND t."select" = l."select" AND l.base IS NULL
  ) AS t
LEFT JOIN "pg_temp"."fold_run_8" AS r ON r.grp = l.grp AND r.what = 'u' AND r.seq = t."__start_at"
WHERE d.ctid = t.row_id AND r.grp IS NULL
