-- N05: VACUUM FULL while a table is copied
-- @seed
create table n05(id int primary key, v text);
insert into n05 select g, repeat('x',300) from generate_series(1,20000) g;
delete from n05 where id % 3 = 0;
-- @check
select count(*) from n05;
