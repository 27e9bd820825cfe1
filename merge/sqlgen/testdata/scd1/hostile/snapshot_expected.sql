-- How many rows are expected to be right, and of how many each expectation does not hold.
SELECT count(*), count(*) FILTER (WHERE NOT x."e0"), count(*) FILTER (WHERE NOT x."e1"), count(*) FILTER (WHERE NOT x."e2")
FROM (
  SELECT (name <> 'x' -- ever
) IS TRUE AS "e0", (city IS NOT NULL
) IS TRUE AS "e1", (__xid > 0
) IS TRUE AS "e2"
  FROM "autocdc"."snapshot_3" AS q
) AS x
