-- M06: readers of current rows during a refresh
-- @seed
create table m06(id int primary key, v text);
insert into m06 values (1,'a'),(2,'b');
