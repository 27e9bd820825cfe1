-- What the staged rows of the flow mean. Parameter $1: the end of the source transaction, for rows staged before it was known.
INSERT INTO "pg_temp"."events_7" ("id", "name", "city", "__seq", "__kind", "__missing", "__flow")
SELECT "Users"."id", "Users"."name", NULL, 
  CAST(("seq"
) AS bigint),
  CAST(CASE WHEN "Users"."__op" = 'truncate' OR "Users"."__op" <> 'delete' AND (op = 'TRUNCATE'
) THEN 't' WHEN "Users"."__op" = 'delete' OR (op = 'DELETE' -- gone
) THEN 'd' ELSE 'u' END AS "char"),
  CASE WHEN CAST(CASE WHEN "Users"."__op" = 'truncate' OR "Users"."__op" <> 'delete' AND (op = 'TRUNCATE'
) THEN 't' WHEN "Users"."__op" = 'delete' OR (op = 'DELETE' -- gone
) THEN 'd' ELSE 'u' END AS "char") = 'u' THEN NULLIF(B'0' || CAST(CAST(COALESCE(get_bit("Users"."__missing", 1), 0) = 1 OR "Users"."name" IS NULL OR NOT COALESCE('name' = ANY ("Users"."c"), true) AS integer) AS bit(1)) || B'1', B'000') END,
  NULL
FROM "pg_temp"."raw_7_0" AS "Users"
WHERE CAST(CASE WHEN "Users"."__op" = 'truncate' OR "Users"."__op" <> 'delete' AND (op = 'TRUNCATE'
) THEN 't' WHEN "Users"."__op" = 'delete' OR (op = 'DELETE' -- gone
) THEN 'd' ELSE 'u' END AS "char") <> 'u' OR ((city IS NOT NULL
) IS TRUE) AND ((__xid > 0
) IS TRUE)
ORDER BY "Users"."__n"
