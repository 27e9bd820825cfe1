-- U02: truncate between the rows of its transaction
-- @seed
create table u02(id int primary key, v text);
insert into u02 select g, 'old' from generate_series(1,1000) g;
-- @stream
begin;
create temp table hold as select id, 'new' v from u02 where id % 2 = 0;
insert into u02 values (5000,'doomed');
truncate u02;
insert into u02 select * from hold;
commit;
-- @check
select count(*), count(*) filter (where v='new') from u02;
