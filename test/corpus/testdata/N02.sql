-- N02: timeouts set for the source database do not end a slow copy
-- @seed
do $$ begin execute format('alter database %I set idle_in_transaction_session_timeout = ''1s''', current_database()); end $$;
do $$ begin execute format('alter database %I set idle_session_timeout = ''1s''', current_database()); end $$;
do $$ begin execute format('alter database %I set statement_timeout = ''2s''', current_database()); end $$;
do $$ begin execute format('alter database %I set lock_timeout = ''1s''', current_database()); end $$;
create table n02(id int primary key, v text);
insert into n02 select g, repeat('x',200) from generate_series(1,50000) g;
