-- M06: readers of current rows during a refresh
-- @seed
create table m06(id int primary key, v text);
insert into m06 values (1,'a'),(2,'b');
-- @stream
update m06 set v = 'a2' where id = 1;
--
update m06 set v = 'a3' where id = 1;
--
delete from m06 where id = 2;
--
insert into m06 values (3, 'c');
