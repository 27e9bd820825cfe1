-- T33: arrays of sized types: the target column has the whole type
-- @seed
create table t33(id int primary key, a varchar(12)[], n numeric(6,2)[], b bit(4)[], tz timestamptz(0)[]);
-- @stream
insert into t33 values (1,'{abc,def}','{1.50,NaN}','{1010}','{2024-01-01 00:00:00+00,infinity}');
-- @check
select attname, format_type(atttypid, atttypmod) from pg_attribute where attrelid = 't33'::regclass and attnum > 0 and attname !~ '^__' order by 1;
