-- X04: a merge that waits for a lock longer than wal_sender_timeout
-- @seed
do $$ begin execute format('alter database %I set wal_sender_timeout = ''1s''', current_database()); end $$;
create table x04(id int primary key, v int);
insert into x04 select g, 0 from generate_series(1,1000) g;
-- @stream
update x04 set v = v + 1;
