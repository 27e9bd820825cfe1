-- Runs of events that make one version: from its first event to the next that is not a continuation.
INSERT INTO "pg_temp"."run_7" ("__grp", "__run", "__what", "__seq", "__next_seq", "__last_n", "__row_id", "__leads")
SELECT r."__grp", r."__run", r."__what", r."__seq",
  lead(r."__seq") OVER (PARTITION BY r."__grp" ORDER BY r."__run"),
  r."__last_n", r."__row_id",
  row_number() OVER (PARTITION BY r."__grp" ORDER BY r."__run") = 1
FROM (
  SELECT DISTINCT ON (s."__grp", s."__run") s."__grp", s."__run", s."__what", s."__seq", s."__row_id",
    last_value(s."__n") OVER (PARTITION BY s."__grp", s."__run" ORDER BY s."__seq" ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS "__last_n"
  FROM (
    SELECT x."__n", x."__grp", x."__seq", x."__what",
      first_value(x."__row_id") OVER same_key AS "__row_id",
      count(*) FILTER (WHERE x."__what" <> '=') OVER same_key AS "__run"
    FROM "pg_temp"."step_7" AS x
    WHERE x."__what" <> '-' AND NOT x."__late"
    WINDOW same_key AS (PARTITION BY x."__grp" ORDER BY x."__seq")
  ) AS s
  ORDER BY s."__grp", s."__run", s."__seq"
) AS r
