-- T18: 24:00:00 is not midnight, a leap second is what the server made of it
-- @seed
create table t18(id int primary key, t time, tt timetz);
insert into t18 values (1,'24:00:00','24:00:00+00'),(2,'00:00:00','00:00:00-15:59');
-- @stream
insert into t18 values (3,'24:00:00','23:59:60+05:30');
