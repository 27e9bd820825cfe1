-- M07: 500 updates of one key in one transaction
-- @seed
create table m07(id int primary key, v int);
-- @stream
insert into m07 values (1,0);
--
do $$ begin for i in 1..500 loop update m07 set v = i where id = 1; end loop; end $$;
-- @check
select v from m07;
