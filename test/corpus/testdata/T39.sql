-- T39: ranges: open, empty and infinite bounds are four things
-- @seed
create table t39(id int primary key, r tstzrange, i int4range, d daterange);
insert into t39 values (1,'(,2024-01-01)','[1,5)','empty'),(2,'[2024-01-01,)','(,)','[-infinity,infinity]'),(3,null,'empty',null);
-- @stream
insert into t39 select id+10, r, i, d from t39;
