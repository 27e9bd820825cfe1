-- T24: settings of the source database for zone, dates and intervals change nothing
-- @seed
do $$ begin execute format('alter database %I set timezone = ''Asia/Kolkata''', current_database()); end $$;
do $$ begin execute format('alter database %I set datestyle = ''SQL, DMY''', current_database()); end $$;
do $$ begin execute format('alter database %I set intervalstyle = ''iso_8601''', current_database()); end $$;
do $$ begin execute format('alter database %I set bytea_output = ''escape''', current_database()); end $$;
do $$ begin execute format('alter database %I set extra_float_digits = -5', current_database()); end $$;

create table t24(id int primary key, tz timestamptz, d date, iv interval, j jsonb, b bytea, f float8);
insert into t24 values (1,'2022-05-14 04:44:58.975+05:30','2022-05-04','1 year 2 mons -3 days 04:05:06','{}','\xff00',0.1::float8 + 0.2);
-- @stream
insert into t24 select 2, tz, d, iv, j, b, f from t24;
