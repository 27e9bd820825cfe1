-- X07: a transaction of 5000 rows
-- @seed
create table x07(id int primary key, v text);
-- @stream
begin; insert into x07 select g, 'r' from generate_series(1,5000) g; commit;
-- @check
select count(*), sum(id) from x07;
