-- U01: TRUNCATE CASCADE over tables of which one is not followed
-- @tables u01p, u01c
-- @seed
create table u01p(id int primary key); create table u01c(id int primary key, pid int references u01p);
create table u01x(id int primary key, pid int references u01p);
insert into u01p values (1); insert into u01c values (1,1); insert into u01x values (1,1);
create publication u01_pub for table u01p, u01c;
-- @stream
truncate u01p cascade;
--
insert into u01p values (2);
