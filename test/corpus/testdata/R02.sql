-- R02: a multiset without a key cannot be followed by CHANGES
-- @refused not a unique key of "public"."r02"|STREAM only
-- @seed
create table r02(id int, v text);
alter table r02 replica identity full;
insert into r02 values (1,'x'),(1,'x'),(null,null);
-- @flows
CREATE STREAMING TABLE cur.r02;
CREATE FLOW cur_r02 AS AUTO CDC INTO cur.r02 FROM CHANGES(r02) KEYS (id, v) STORED AS SCD TYPE 1;
