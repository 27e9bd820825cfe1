-- T12: jsonb scalars, emoji, quotes and backslashes
-- @seed
create table t12(id int primary key, j jsonb);
-- @stream
insert into t12 values (1,'"plain string"'), (2,'{"e":"\ud83d\ude00 snow \u2603","q":"say \"hi\"","b":"c:\\dir"}'), (3,'[]'), (4,'""');
