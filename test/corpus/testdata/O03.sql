-- O03: key changes carry a toasted value, a new row of an old key does not inherit it
-- @seed
create table o03(id int primary key, big text, n int);
alter table o03 alter column big set storage external;
insert into o03 select g, repeat(md5(g::text), 400), 0 from generate_series(1,2) g;
-- @stream
update o03 set id = id + 100;
--
update o03 set n = 7 where id = 101;
--
insert into o03 values (1, 'small', 1);
--
delete from o03 where id = 102;
--
insert into o03 values (102, repeat('y',20000), 0);
--
update o03 set n = 9 where id = 102;
-- @check
select id, n, md5(big) from o03 order by id;
