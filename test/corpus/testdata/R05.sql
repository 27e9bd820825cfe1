-- R05: an index as replica identity, while the primary key changes
-- @seed
create table r05(id int primary key, code text not null, region text not null, n int);
create unique index r05_ri on r05(region, code);
alter table r05 replica identity using index r05_ri;
insert into r05 values (1,'A','eu',0),(2,'B','eu',0);
-- @stream
update r05 set n = 1 where id = 1;
--
update r05 set code = 'C' where id = 2;
--
update r05 set id = 10 where id = 1;
--
delete from r05 where id = 2;
