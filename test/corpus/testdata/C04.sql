-- C04: quotes and backslashes at the ends of values
-- @seed
create table c04(id int primary key, v varchar(100), t text);
-- @stream
insert into c04 values (1, 'It''s a varchar', 'trailing quote'''), (2, '''', ''''''), (3, 'back\slash', E'nl\\n real\n');
--
update c04 set v = v || '''' where id = 1;
--
delete from c04 where v = '''';
