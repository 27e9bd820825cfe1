-- M01: foreign keys at the source: a target shows whole transactions
-- @seed
create table m01p(id int primary key); create table m01c(id int primary key, pid int references m01p deferrable initially deferred);
insert into m01p values (1); insert into m01c values (1,1);
-- @stream
begin; insert into m01c values (2,2); insert into m01p values (2); commit;
--
begin; delete from m01p where id = 1; delete from m01c where id = 1; commit;
