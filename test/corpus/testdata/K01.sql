-- K01: updates of a primary key move the row
-- @seed
create table k01(id int primary key, v text);
insert into k01 values (1,'a'),(2,'b'),(3,'c');
-- @stream
update k01 set id = 1001 where id = 1;
--
insert into k01 values (4,'d');
--
begin; insert into k01 values (5,'e'); update k01 set id = 1005 where id = 5; commit;
--
update k01 set id = -id where id in (3,4);
