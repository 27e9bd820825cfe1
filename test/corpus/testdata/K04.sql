-- K04: one key many times in one transaction
-- @seed
create table k04(id int primary key, v int);
-- @stream
begin;
insert into k04 values (1,1); update k04 set v = 2 where id = 1; delete from k04 where id = 1; insert into k04 values (1,3);
insert into k04 values (2,1); delete from k04 where id = 2;
commit;
--
update k04 set v = v + 1;
--
update k04 set v = v + 1;
