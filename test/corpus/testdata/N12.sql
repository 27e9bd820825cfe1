-- N12: the service is killed twice during the first copy
-- @seed
create table n12(id int primary key, v text);
insert into n12 select g, md5(g::text) from generate_series(1,300000) g;
-- @stream
update n12 set v = 'u' where id % 100 = 0;
--
delete from n12 where id % 100 = 1;
--
insert into n12 values (400000,'i');
