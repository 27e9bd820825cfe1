-- N09: empty tables, tables without statistics, columns of nulls
-- @seed
create table n09(id int primary key, v text); create table n09b(id int primary key, k int);
insert into n09b select g, null from generate_series(1,10) g;
-- @stream
insert into n09 values (1, 'first');
-- @check
select (select count(*) from n09), (select count(*) from n09b);
