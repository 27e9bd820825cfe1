-- What the staged rows of the flow mean. Parameter $1: the end of the source transaction, for rows staged before it was known.
INSERT INTO "pg_temp"."events_8" ("k""1", "select", "Größe", "__seq", "__kind", "__missing", "__flow")
SELECT "Users"."k""1", "Users"."select", NULL, 
  CAST(ROW(("a b"
), ("n"
)) AS "my""s"."Größe%s__sequence"),
  CAST(CASE WHEN "Users"."__op" = 'truncate' OR "Users"."__op" <> 'delete' AND (op = 'TRUNCATE'
) THEN 't' WHEN "Users"."__op" = 'delete' OR (op = 'DELETE' -- gone
) THEN 'd' ELSE 'u' END AS "char"),
  CASE WHEN CAST(CASE WHEN "Users"."__op" = 'truncate' OR "Users"."__op" <> 'delete' AND (op = 'TRUNCATE'
) THEN 't' WHEN "Users"."__op" = 'delete' OR (op = 'DELETE' -- gone
) THEN 'd' ELSE 'u' END AS "char") = 'u' THEN NULLIF(B'0' || B'0' || B'1', B'000') END,
  'it''s'
FROM "pg_temp"."raw_8_0" AS "Users"
WHERE CAST(CASE WHEN "Users"."__op" = 'truncate' OR "Users"."__op" <> 'delete' AND (op = 'TRUNCATE'
) THEN 't' WHEN "Users"."__op" = 'delete' OR (op = 'DELETE' -- gone
) THEN 'd' ELSE 'u' END AS "char") <> 'u' OR ((city IS NOT NULL
) IS TRUE) AND ((__xid > 0
) IS TRUE)
ORDER BY "Users"."__n"
