-- R06: the index of the replica identity is dropped while running
-- @seed
create table r06(id int primary key, code text not null);
create unique index r06_ri on r06(code);
alter table r06 replica identity using index r06_ri;
insert into r06 values (1,'a');
-- @stream
drop index r06_ri;
--
insert into r06 values (2,'b');
