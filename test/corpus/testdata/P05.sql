-- P05: a partitioned table has its valid key on the target
-- @seed
create table p05(id int, topic text, primary key (id)) partition by hash (id);
create table p05_0 partition of p05 for values with (modulus 2, remainder 0);
create table p05_1 partition of p05 for values with (modulus 2, remainder 1);
create index p05_t on p05(topic);
insert into p05 select g, 't' from generate_series(1,50) g;
-- @stream
update p05 set topic = 'u' where id <= 10;
-- @check
select count(*) from pg_index where not indisvalid;
