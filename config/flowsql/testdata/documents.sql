-- The forms in which users of the SQL know it from elsewhere, in the spark dialect.
SET dialect = 'spark';

CREATE OR REFRESH STREAMING TABLE target;
CREATE FLOW users_scd1 AS AUTO CDC INTO target
FROM stream(cdc_data.users)
KEYS (userId)
APPLY AS DELETE WHEN operation = "DELETE"
APPLY AS TRUNCATE WHEN operation = "TRUNCATE"
SEQUENCE BY sequenceNum
COLUMNS * EXCEPT (operation, sequenceNum)
STORED AS SCD TYPE 1;

CREATE OR REFRESH STREAMING TABLE history;
CREATE FLOW users_scd2 AS AUTO CDC INTO history
FROM stream(cdc_data.users)
KEYS (userId)
APPLY AS DELETE WHEN operation = "DELETE"
SEQUENCE BY STRUCT(timestamp_col, id_col)
COLUMNS * EXCEPT (operation, sequenceNum)
STORED AS SCD TYPE 2
TRACK HISTORY ON * EXCEPT (city);

CREATE OR REFRESH STREAMING TABLE bitemporal
FLOW AUTO CDC
FROM STREAM main.feeds.users
KEYS (id)
SEQUENCE BY business_time
SYSTEM SEQUENCE BY system_time
STORED AS BITEMPORAL;

CREATE OR REFRESH STREAMING TABLE periodic;
CREATE FLOW snapshot_flow AS AUTO CDC INTO periodic
FROM SNAPSHOT (SELECT * FROM mycatalog.myschema.mytable)
KEYS (id)
STORED AS SCD TYPE 2
TRACK HISTORY ON * EXCEPT (loaded_at);

CREATE FLOW versioned AS AUTO CDC INTO periodic
FROM SNAPSHOT (
  SELECT * FROM read_files("/data/snapshots", format => "csv", header => true)
  WHERE _metadata.file_name = concat("snapshot_", (SELECT * FROM current_snapshot_version()), ".csv")
)
WITH VERSION (
  SELECT CAST(regexp_extract(path, "snapshot_(\\d+)\\.csv", 1) AS INT) AS version
  FROM list_files("/data/snapshots")
  WHERE version > coalesce((SELECT * FROM last_snapshot_version()), -1) ORDER BY version LIMIT 1
)
KEYS (userId)
STORED AS SCD TYPE 1;

CREATE TEMPORARY VIEW adults AS SELECT id, name RLIKE "^a" AS a FROM STREAM(feeds.people) WHERE age > 18;
CREATE FLOW backfill AS INSERT INTO ONCE target BY NAME SELECT * FROM old;
