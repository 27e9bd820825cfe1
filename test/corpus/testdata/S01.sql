-- S01: a column added with a default: rows that were never sent have it too
-- @seed
create table s01(id int primary key);
insert into s01 values (1),(2);
-- @stream
alter table s01 add column c int not null default 42;
--
insert into s01(id) values (3);
