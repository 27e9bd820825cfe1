-- K05: updates that change nothing make no version
-- @seed
create table k05(id int primary key);
create table k05b(id int primary key, v text);
alter table k05b replica identity full;
insert into k05 values (1); insert into k05b values (1,'a');
-- @stream
update k05 set id = id;
--
update k05b set v = v;
