-- T15: a byte zero in a text that an expression makes stops that flow alone, before the row
-- @seed
create table t15(id int primary key, raw bytea);
-- @flows
CREATE STREAMING TABLE cur.t15;
CREATE FLOW cur_t15 AS INSERT INTO cur.t15 BY NAME SELECT id, convert_from(raw, 'UTF8') AS raw FROM STREAM(t15);
