-- The first staged row whose key or sequence is null.
SELECT x.*
FROM (
  SELECT CAST(CASE WHEN "Users"."__op" = 'truncate' OR "Users"."__op" <> 'delete' AND (op = 'TRUNCATE'
) THEN 't' WHEN "Users"."__op" = 'delete' OR (op = 'DELETE' -- gone
) THEN 'd' ELSE 'u' END AS "char") AS op, CAST(ROW(("a b"
), ("n"
)) AS "my""s"."Größe%s__sequence") AS seq, CAST(("sys"
) AS timestamptz) AS sys, ROW("Users"."k""1", "Users"."select")::text AS key,
    CASE WHEN "Users"."k""1" IS NULL THEN 'k"1' WHEN "Users"."select" IS NULL THEN 'select' END AS null_key,
    "Users"."__lsn"::text, "Users"."__xid", "Users"."__n"
  FROM "pg_temp"."raw_8_0" AS "Users"
) AS x
WHERE x.op <> 't' AND x.null_key IS NOT NULL OR NOT (x.seq IS NOT NULL) OR x.sys IS NULL
ORDER BY x."__n"
LIMIT 1
