-- T37: an enum dropped and made anew under the same name
-- @seed
create type m37 as enum ('x','y');
create table t37(id int primary key, s m37);
insert into t37 values (1,'x');
-- @stream
alter table t37 alter column s type text;
--
drop type m37;
--
create type m37 as enum ('y','x','z');
--
alter table t37 alter column s type m37 using s::m37;
--
insert into t37 values (2,'z');
