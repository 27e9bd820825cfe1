-- The first staged row whose key or sequence is null.
SELECT x.*
FROM (
  SELECT CAST(CASE WHEN "Users"."__op" = 'truncate' OR "Users"."__op" <> 'delete' AND (op = 'TRUNCATE'
) THEN 't' WHEN "Users"."__op" = 'delete' OR (op = 'DELETE' -- gone
) THEN 'd' ELSE 'u' END AS "char") AS op, CAST(("seq"
) AS bigint) AS seq, CAST(("sys"
) AS timestamptz) AS sys, ROW("Users"."id")::text AS key,
    CASE WHEN "Users"."id" IS NULL THEN 'id' END AS null_key,
    "Users"."__lsn"::text, "Users"."__xid", "Users"."__n"
  FROM "pg_temp"."raw_7_0" AS "Users"
) AS x
WHERE x.op <> 't' AND x.null_key IS NOT NULL OR x.seq IS NULL OR x.sys IS NULL
ORDER BY x."__n"
LIMIT 1
