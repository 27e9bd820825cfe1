-- K13: a column that is no key moves while its table is copied
-- @seed
create table k13(id int primary key, pid int, v text);
insert into k13 select g, g % 5, 'r'||g from generate_series(1,50) g;
-- @stream
update k13 set pid = 4 - pid;
-- @check
select count(*), sum(pid) from k13;
