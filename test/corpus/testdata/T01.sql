-- T01: NaN in numeric columns, by copy and by stream
-- @seed
create table t01(id int primary key, n numeric, p numeric(10,2));
insert into t01 values (1, 'NaN', 'NaN'), (2, 1.50, 1.50);
-- @stream
insert into t01 values (3, 'NaN', 'NaN');
--
update t01 set n = 'NaN' where id = 2;
