-- How many rows are expected to be right, and of how many each expectation does not hold.
SELECT count(*), count(*) FILTER (WHERE NOT x."e0"), count(*) FILTER (WHERE NOT x."e1"), count(*) FILTER (WHERE NOT x."e2")
FROM (
  SELECT (name <> 'x' -- ever
) IS TRUE AS "e0", (city IS NOT NULL
) IS TRUE AS "e1", (__xid > 0
) IS TRUE AS "e2"
  FROM (SELECT "k""1", "select", "Größe", "__op", $1::pg_lsn AS "__lsn", "__commit_ts", "__xid", "__missing", "__n" FROM "pg_temp"."raw_8_0") AS "Users"
  WHERE CAST(CASE WHEN "Users"."__op" = 'truncate' OR "Users"."__op" <> 'delete' AND (op = 'TRUNCATE'
) THEN 't' WHEN "Users"."__op" = 'delete' OR (op = 'DELETE' -- gone
) THEN 'd' ELSE 'u' END AS "char") = 'u'
) AS x
