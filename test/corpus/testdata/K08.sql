-- K08: 30 000 deletes of a composite key in one transaction
-- @seed
create table k08(a int, b int, primary key (a,b));
insert into k08 select g, g from generate_series(1,30000) g;
-- @stream
delete from k08 where a > 5;
