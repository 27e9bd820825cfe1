-- T22: infinities in any row of a batch
-- @seed
create table t22(id int primary key, tz timestamptz);
-- @stream
insert into t22 values (1,'2024-01-01 00:00+00'),(2,'-infinity'),(3,'infinity');
