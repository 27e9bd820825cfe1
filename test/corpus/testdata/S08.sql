-- S08: a partition with other column order
-- @seed
create table s08(id int, a text, b text, primary key (id)) partition by range (id);
create table s08_1 partition of s08 for values from (0) to (100);
create table s08_2(b text, a text, id int not null);
alter table s08_2 add primary key (id);
alter table s08 attach partition s08_2 for values from (100) to (200);
create publication s08_pub for table s08 with (publish_via_partition_root = true);
insert into s08 values (1,'a','b'),(101,'a','b');
-- @stream
insert into s08 values (2,'a','b'),(102,'a','b');
--
update s08 set a = 'A' where id in (1,101);
