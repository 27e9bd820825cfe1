-- T16: infinity in date, timestamp and timestamptz is a value, no open end
-- @seed
create table t16(id int primary key, d date, ts timestamp, tz timestamptz);
insert into t16 values (1,'infinity','infinity','infinity'),(2,'-infinity','-infinity','-infinity');
-- @stream
insert into t16 values (3,'infinity','-infinity','infinity');
--
update t16 set d = '-infinity' where id = 1;
