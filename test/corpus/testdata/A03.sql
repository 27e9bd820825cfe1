-- A03: role and password full of special characters, in every form of DSN
-- @seed
create table a03(id int primary key);
insert into a03 values (1);
