-- N08: a table without a key, appended
-- @seed
create table n08(a int, b text);
insert into n08 values (1,'x'),(1,'x'),(2,null);
-- @flows
CREATE STREAMING TABLE cur.n08;
CREATE FLOW cur_n08 AS INSERT INTO cur.n08 BY NAME SELECT a, b FROM STREAM(n08);
-- @stream
insert into n08 values (1,'x');
