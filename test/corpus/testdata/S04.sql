-- S04: a table swapped for another by rename
-- @seed
create table s04(id int primary key, v text);
insert into s04 values (1,'old'),(2,'old');
-- @stream
create table s04_new(id int primary key, v text);
--
insert into s04_new values (2,'new'),(3,'new');
--
begin; alter table s04 rename to s04_old; alter table s04_new rename to s04; commit;
--
insert into s04 values (4,'after');
