-- L13: nothing is acknowledged before it is durable
-- @seed
create table l13(id int primary key);
insert into l13 select generate_series(1,100);
