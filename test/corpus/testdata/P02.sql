-- P02: partitions attached and detached while running
-- @seed
create table p02(id int primary key) partition by range (id);
create table p02_a partition of p02 for values from (0) to (10);
create publication p02_pub for table p02 with (publish_via_partition_root = true);
insert into p02 values (1),(2);
-- @stream
create table p02_b(id int primary key);
--
insert into p02_b values (11),(12);
--
alter table p02 attach partition p02_b for values from (10) to (20);
--
alter table p02 detach partition p02_a;
