-- T25: timetz keeps offsets down to the minute
-- @seed
create table t25(id int primary key, tt timetz);
insert into t25 values (1,'13:30:00.123456-08'),(2,'13:30:00+05:45'),(3,'00:00:00+15:59');
-- @stream
insert into t25 select id+10, tt from t25;
