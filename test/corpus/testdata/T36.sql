-- T36: a label added to an enum while running
-- @seed
create type st36 as enum ('a','c');
create table t36(id int primary key, s st36);
insert into t36 values (1,'a');
-- @stream
alter type st36 add value 'b' before 'c';
--
insert into t36 values (2,'b');
