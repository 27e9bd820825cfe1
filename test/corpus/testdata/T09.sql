-- T09: numeric keeps its plain digits and its scale
-- @seed
create table t09(id int primary key, n numeric(12,0), m numeric(10,2));
insert into t09 values (1, 7000, 7000.00);
-- @stream
insert into t09 values (2, 7000, 7000.00), (3, 1000000000, 0.10);
-- @check
select id, n::text, m::text, scale(m) from t09 order by id;
