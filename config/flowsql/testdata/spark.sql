SET dialect = 'spark';
CREATE OR REFRESH STREAMING TABLE main.dw.target (`user Id` STRING, name text) COMMENT "it's";

CREATE FLOW flow AS AUTO CDC INTO
  target
FROM
  stream(cdc_data.users)
KEYS
  (userId)
APPLY AS DELETE WHEN
  operation = "DELETE" -- "kept"
APPLY AS TRUNCATE WHEN
  operation = "TRUNCATE" OR `a``"b` LIKE '50\% of "it\'s"' OR x = "a\tb\\" OR e"x" = r'\d'"y"
SEQUENCE BY
  struct(sequenceNum, `Other`)
COLUMNS * EXCEPT
  (operation, sequenceNum)
STORED AS
  SCD TYPE 2
TRACK HISTORY ON * EXCEPT
  (city);

APPLY CHANGES INTO main.dw.target FROM STREAM users KEYS (userId) SEQUENCE BY sequenceNum STORED AS SCD TYPE 1;

CREATE FLOW snap AS AUTO CDC INTO target
FROM SNAPSHOT (FROM VALUES (1, "a") AS t(id, name))
KEYS (id);
