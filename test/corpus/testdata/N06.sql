-- N06: ranges of ctid under parallel plans
-- @alone
-- @seed
create table n06(a int primary key, b text);
insert into n06 select g, repeat('p',100) from generate_series(1,100000) g;
do $$ begin execute format('alter database %I set parallel_setup_cost = 0', current_database()); end $$;
do $$ begin execute format('alter database %I set min_parallel_table_scan_size = 0', current_database()); end $$;
do $$ begin execute format('alter database %I set max_parallel_workers_per_gather = 4', current_database()); end $$;
-- @stream
delete from n06 where a % 3 = 0;
-- @check
select count(*), sum(a) from n06;
