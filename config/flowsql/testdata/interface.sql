-- Every form of the grammar.
CREATE STREAMING TABLE target;
create or refresh streaming table IF NOT EXISTS "Crm"."Größe k""1" (
  id bigint, amount numeric(10, 2), tags text[], "At" timestamp(3) with time zone, r "my schema".kind,
  CONSTRAINT positive EXPECT (amount > 0 AND (id IS NOT NULL)),
  CONSTRAINT named EXPECT (id IN (1, 2)) ON VIOLATION DROP ROW,
  CONSTRAINT strict EXPECT (true) ON VIOLATION FAIL UPDATE
) COMMENT 'it''s a table'
FLOW AUTO CDC FROM CHANGES(shop.public.orders) KEYS (id) STORED AS SCD TYPE 2;

CREATE FLOW one COMMENT 'text' AS AUTO CDC ONCE INTO target
FROM STREAM(public.feed)
KEYS (a, "B")
IGNORE NULL UPDATES ON (c, d)
APPLY AS DELETE WHEN op = 'D'
APPLY AS TRUNCATE WHEN op = 'T'
SEQUENCE BY STRUCT(ts, coalesce(n, 0), "x,y")
COLUMNS * EXCEPT (op, ts)
STORED AS SCD TYPE 2
TRACK HISTORY ON * EXCEPT (seen)
WITH (skip_change_commits = true, max_delete_fraction = 0.5, every = '10 minutes', low = -1);

CREATE FLOW two AS APPLY CHANGES INTO s.target FROM STREAM public.feed KEYS id, name
WITH (truncate = 'apply')
TRACK HISTORY ON a, b
STORED AS BITEMPORAL
COLUMNS a, b, c
COLUMNS TO UPDATE changed
SYSTEM SEQUENCE BY seen_at AT TIME ZONE 'UTC'
SEQUENCE BY valid_from
IGNORE NULL UPDATES ON * EXCEPT a;

CREATE FLOW three AS AUTO CDC INTO target
FROM SNAPSHOT (SELECT * FROM shop.public.t WHERE v = (SELECT current_snapshot_version()))
  WITH VERSION (SELECT max(v) FROM versions WHERE v > (SELECT * FROM last_snapshot_version()))
KEYS (id) IGNORE NULL UPDATES COLUMNS * WITH (copy = false);

AUTO CDC INTO s.bare FROM a_view KEYS (id);
APPLY CHANGES INTO other FROM CHANGES(a.b.c) KEYS id;

CREATE TEMPORARY VIEW v AS SELECT id, payload ->> 'name' AS name FROM STREAM(feed) WHERE op <> ';' /* ; */ -- ;
  AND true;
CREATE FLOW ins AS INSERT INTO target BY NAME SELECT * FROM STREAM(v);
CREATE FLOW ins2 AS INSERT INTO ONCE target BY NAME WITH q AS (SELECT 1) TABLE q;
CREATE FLOW ins3 AS INSERT INTO once BY NAME VALUES (1);
