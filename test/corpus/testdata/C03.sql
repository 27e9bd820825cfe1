-- C03: values that look like the end marker of COPY, in a table without key
-- @seed
create table c03(t text);
insert into c03 values ('before'),('\.'),('.'),(E'multi\n\\.\nline'),('after');
-- @flows
CREATE STREAMING TABLE cur.c03;
CREATE FLOW cur_c03 AS INSERT INTO cur.c03 BY NAME SELECT t FROM STREAM(c03);
-- @stream
insert into c03 select t from c03;
