-- T45: unchanged toasted arrays
-- @seed
create table t45(id int primary key, a varchar[], u uuid[], n int);
alter table t45 alter column a set storage external;
alter table t45 alter column u set storage external;
insert into t45 select 1, array_agg(md5(g::text)), array_agg(gen_random_uuid()), 0 from generate_series(1,500) g;
-- @stream
update t45 set n = 1;
