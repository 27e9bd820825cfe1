-- S05: a table dropped and made anew
-- @seed
create table s05(id int primary key, v text);
insert into s05 select g, 'old' from generate_series(1,100) g;
-- @stream
drop table s05;
--
create table s05(id int primary key, v text);
--
insert into s05 values (1,'new');
