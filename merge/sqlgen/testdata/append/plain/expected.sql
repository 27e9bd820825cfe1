-- How many rows are expected to be right, and of how many each expectation does not hold.
SELECT count(*), count(*) FILTER (WHERE NOT x."e0"), count(*) FILTER (WHERE NOT x."e1"), count(*) FILTER (WHERE NOT x."e2")
FROM (
  SELECT (name <> 'x' -- ever
) IS TRUE AS "e0", (city IS NOT NULL
) IS TRUE AS "e1", (__xid > 0
) IS TRUE AS "e2"
  FROM (
SELECT *, upper('FROM $1')

FROM (SELECT "id", "name", "city", $1::pg_lsn AS "__lsn", "__op" FROM "pg_temp"."raw_7_0") AS "Users" -- all
  ) AS q
) AS x
