-- T40: tsvector and tsquery
-- @seed
create table t40(id int primary key, v tsvector, q tsquery);
insert into t40 values (1, '''a'':1A ''it''''s'':2B'::tsvector, 'fat & !rat');
-- @stream
insert into t40 select 2, v, q from t40;
