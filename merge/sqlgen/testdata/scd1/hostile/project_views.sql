-- What the staged rows of the flow mean. Parameter $1: the end of the source transaction, for rows staged before it was known.
INSERT INTO "pg_temp"."events_8" ("k""1", "select", "Größe", "__seq", "__kind", "__missing", "__flow")
SELECT "Users"."k""1", "Users"."select", NULL, 
  CAST(ROW(("a b"
), ("n"
)) AS "my""s"."Größe%s__sequence"),
  CAST(CASE WHEN "Users"."__op" = 'truncate' OR "Users"."__op" <> 'delete' AND (op = 'TRUNCATE'
) THEN 't' WHEN "Users"."__op" = 'delete' OR NOT "Users"."__keeps" OR (op = 'DELETE' -- gone
) THEN 'd' ELSE 'u' END AS "char"),
  CASE WHEN CAST(CASE WHEN "Users"."__op" = 'truncate' OR "Users"."__op" <> 'delete' AND (op = 'TRUNCATE'
) THEN 't' WHEN "Users"."__op" = 'delete' OR NOT "Users"."__keeps" OR (op = 'DELETE' -- gone
) THEN 'd' ELSE 'u' END AS "char") = 'u' THEN NULLIF(B'0' || B'0' || B'1', B'000') END,
  'it''s'
FROM (
  SELECT "__view_2"."k""1", "__view_2"."select", "__view_2"."Größe", "__row"."__op", "__row"."__lsn", "__row"."__commit_ts", "__row"."__xid", "__row"."__missing", "__row"."__n",
    ARRAY["__view_1"."__place"] AS "__place",
    "__view_2"."__keeps" AS "__keeps"
  FROM "pg_temp"."raw_8_0" AS "__row"
  CROSS JOIN LATERAL (
    SELECT v.*, row_number() OVER () AS "__place"
    FROM (
SELECT *
FROM (SELECT "__row"."k""1", "__row"."select", "__row"."Größe") AS "Users" -- all
    ) AS v
  ) AS "__view_1"
  CROSS JOIN LATERAL (
SELECT *, (__lsn > '0/0') IS TRUE AS "__keeps" FROM (SELECT "__view_1"."k""1", "__view_1"."select", "__view_1"."Größe", "__row"."__lsn") AS v
  ) AS "__view_2"
  WHERE "__row"."__op" <> 'snapshot' OR "__view_2"."__keeps"
) AS "Users"
ORDER BY "Users"."__n", "Users"."__place"
