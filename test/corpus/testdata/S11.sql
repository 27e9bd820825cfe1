-- S11: a generated column is in copy and stream, or in neither
-- @seed
create table s11(id int primary key, first text, last text, name text generated always as (first || ' ' || last) stored);
insert into s11(id,first,last) values (1,'Ada','L');
-- @stream
insert into s11(id,first,last) values (2,'Alan','T');
--
update s11 set first = 'Augusta' where id = 1;
