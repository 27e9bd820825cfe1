-- L06: positions of a server that was promoted
-- @seed
create table l06(id int primary key);
insert into l06 values (1);
-- @stream
insert into l06 values (2);
