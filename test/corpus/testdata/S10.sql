-- S10: holes of dropped columns
-- @seed
create table s10(a text, b text, id int primary key, c text);
alter table s10 drop column b;
insert into s10 values ('a',1,'c');
-- @stream
insert into s10 values ('a2',2,'c2');
--
alter table s10 add column b int;
--
insert into s10 values ('a3',3,'c3',3);
