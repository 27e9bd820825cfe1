-- S13: GENERATED ALWAYS identity columns
-- @seed
create table s13(id bigint primary key, seq bigint generated always as identity, name text);
create table s13b(id bigint generated always as identity primary key, name text);
insert into s13(id,name) values (1,'a'); insert into s13b(name) values ('a');
-- @stream
insert into s13(id,name) values (2,'b');
--
update s13 set name = 'z' where id = 1;
--
insert into s13b(name) values ('b');
--
update s13b set name = 'z' where id = 1;
