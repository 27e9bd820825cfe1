-- N11: several small tables in one first run
-- @seed
create table n11a(id int primary key); create table n11b(id int primary key); create table n11c(id int primary key);
insert into n11a values (1); insert into n11b values (1),(2); insert into n11c values (1),(2),(3);
-- @stream
insert into n11a values (9);
