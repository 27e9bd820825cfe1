-- Events of one sequence count as one: the state after the last of them, the columns that any of them carried.
INSERT INTO "pg_temp"."fold_step_8" ("__n", "__grp", "__seq", "__what", "__late", "__missing", "__floor")
SELECT c."__pos", c."__grp", c."__seq",
  CASE
    WHEN f."__kind" = 'd' THEN CASE WHEN p."__kind" = 'u' THEN 'd' ELSE '-' END
    WHEN p."__kind" = 'u' AND record_image_eq(ROW(f."Größe"), ROW(p."Größe")) THEN '='
    ELSE 'u'
  END,
  false, c."__missing", f."__floor"
FROM (
  SELECT u."__pos", u."__grp", u."__seq", u."__missing", lag(u."__pos") OVER (PARTITION BY u."__grp" ORDER BY u."__pos") AS "__prev"
  FROM (
    SELECT DISTINCT ON (y."__grp", y."__seq") y."__pos", y."__grp", y."__seq",
      CASE WHEN NOT bool_or(y."__missing" IS NULL) OVER tie THEN bit_and(y."__missing") OVER tie END AS "__missing"
    FROM "pg_temp"."fold_8" AS y
    WINDOW tie AS (PARTITION BY y."__grp", y."__seq")
    ORDER BY y."__grp", y."__seq", y."__pos" DESC
  ) AS u
) AS c
JOIN "pg_temp"."fold_8" AS f ON f."__pos" = c."__pos"
LEFT JOIN "pg_temp"."fold_8" AS p ON p."__pos" = c."__prev"
