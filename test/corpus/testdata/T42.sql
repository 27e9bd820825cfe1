-- T42: an unchanged toasted hstore, and its nulls
-- @seed
create extension if not exists hstore;
create table t42(id int primary key, h hstore, n int);
alter table t42 alter column h set storage external;
insert into t42 select 1, hstore(array_agg('k'||g), array_agg(md5(g::text))), 0 from generate_series(1,400) g;
insert into t42 values (2, 'a=>NULL, b=>"NULL", "sp ace"=>"x,y"', 0);
-- @target
create extension hstore;
-- @stream
update t42 set n = 1 where id = 1;
