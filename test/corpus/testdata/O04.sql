-- O04: insert and update in one transaction; a value set to null is a change
-- @seed
create table o04(id int primary key, big text, n int);
alter table o04 alter column big set storage external;
insert into o04 values (1, repeat('a',10000), 0);
-- @stream
begin;
insert into o04 values (2, repeat('b',10000), 0);
update o04 set n = 1 where id = 2;
update o04 set big = null, n = 2 where id = 1;
update o04 set n = 3 where id = 1;
commit;
