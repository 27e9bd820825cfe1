-- X03: a large transaction under a short wal_sender_timeout
-- @seed
do $$ begin execute format('alter database %I set wal_sender_timeout = ''2s''', current_database()); end $$;
create table x03(id bigserial primary key, v text);
-- @stream
insert into x03(v) select md5(g::text) from generate_series(1,200000) g;
