-- Words that begin clauses are names too, and expressions may be anything.
CREATE FLOW a AS AUTO CDC INTO t FROM STREAM(s) KEYS (keys, columns)
APPLY AS DELETE WHEN columns = 'D' AND NOT keys OR columns IN ('x') AND keys IS DISTINCT FROM columns
SEQUENCE BY columns COLUMNS (columns, keys);

CREATE FLOW b AS AUTO CDC INTO t FROM STREAM(s) KEYS id
SEQUENCE BY keys
COLUMNS id, columns STORED AS SCD TYPE 1;

CREATE FLOW c AS AUTO CDC INTO t FROM STREAM(s) KEYS (id)
SEQUENCE BY (SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FROM unnest(a) AS stored) WITH (copy = false)
APPLY AS DELETE WHEN percentile_cont(0.5) WITHIN GROUP (ORDER BY x) > 1 COLUMNS * EXCEPT x;

CREATE FLOW d AS AUTO CDC INTO t FROM STREAM(s) KEYS (id)
SEQUENCE BY CASE WHEN stored THEN CASE track WHEN 1 THEN r.end END ELSE sequence END
APPLY AS DELETE WHEN doc IS JSON WITH UNIQUE KEYS
APPLY AS TRUNCATE WHEN ts::timestamp with time zone = x AT TIME ZONE columns
STORED AS SCD TYPE 2;

CREATE FLOW e AS AUTO CDC INTO t FROM STREAM(s) KEYS (id)
SEQUENCE BY a OPERATOR(pg_catalog.+) columns -- kept
  /* and /* nested */ */ + (r).columns
APPLY AS DELETE WHEN op LIKE E'it\'s ;%' ESCAPE '!' OR op = $q$ ; STORED AS $q$ OR x[1] ->> 'k' = "KEYS";

CREATE FLOW f AS AUTO CDC INTO t FROM STREAM stream KEYS (id) SEQUENCE BY STRUCT (a) ;
CREATE FLOW g AS AUTO CDC INTO t FROM STREAM(stream) KEYS (id) SEQUENCE BY struct.a + 1;
CREATE FLOW h AS AUTO CDC INTO t FROM stream KEYS (id) SEQUENCE BY struct(a, f(b, c)).a;
CREATE FLOW i AS AUTO CDC INTO t FROM changes KEYS (id) SEQUENCE BY (a) SYSTEM SEQUENCE BY system
STORED AS BITEMPORAL
