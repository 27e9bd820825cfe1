-- S02: rename, drop, and another column of the dropped one's name
-- @seed
create table s02(id int primary key, a text, b int, c int);
insert into s02 values (1,'x',1,1);
-- @stream
alter table s02 rename column a to a2;
--
insert into s02 values (2,'y',2,2);
--
alter table s02 drop column b;
--
alter table s02 add column b text;
--
insert into s02(id,a2,c,b) values (3,'z',3,'new b');
