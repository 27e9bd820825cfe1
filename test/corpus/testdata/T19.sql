-- T19: years of five digits, by copy and by stream
-- @seed
create table t19(id int primary key, tz timestamptz);
insert into t19 values (1,'20231-03-01 10:00:00+00');
-- @stream
insert into t19 values (2,'20231-03-01 10:00:00+00');
