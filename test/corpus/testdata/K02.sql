-- K02: unique values rotate in one transaction
-- @seed
create table k02(id int primary key, u text unique);
insert into k02 values (1,'A'),(2,'B');
-- @stream
begin;
update k02 set u = 'TEMP' where id = 1;
update k02 set u = 'A' where id = 2;
update k02 set u = 'B' where id = 1;
commit;
--
begin; delete from k02 where id = 1; insert into k02 values (3,'B'); commit;
