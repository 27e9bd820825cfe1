-- K07: all columns of a key count, in any order
-- @seed
create table k07(tenant int, id int, v text, primary key (id, tenant));
insert into k07 values (1,1,'a'),(1,2,'b'),(2,1,'c');
-- @stream
update k07 set v = 'z' where tenant = 2 and id = 1;
--
delete from k07 where tenant = 1 and id = 1;
