-- The first row of which an expectation does not hold.
SELECT ROW("Users"."id")::text, "Users"."__lsn"::text
FROM "pg_temp"."raw_7_0" AS "Users"
WHERE CAST(CASE WHEN "Users"."__op" = 'truncate' OR "Users"."__op" <> 'delete' AND (op = 'TRUNCATE'
) THEN 't' WHEN "Users"."__op" = 'delete' OR (op = 'DELETE' -- gone
) THEN 'd' ELSE 'u' END AS "char") = 'u' AND NOT ((name <> 'x' -- ever
) IS TRUE OR COALESCE(get_bit("Users"."__missing", 1), 0) = 1)
ORDER BY "Users"."__n"
LIMIT 1
