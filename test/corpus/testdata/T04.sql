-- T04: numeric holds infinities
-- @seed
create table t04(id int primary key, n numeric);
insert into t04 values (1,'Infinity'),(2,'-Infinity');
-- @stream
insert into t04 values (3,'Infinity'),(4,'-Infinity');
