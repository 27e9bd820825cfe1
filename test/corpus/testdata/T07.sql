-- T07: integer keys are never printed as floats
-- @seed
create table t07(id int primary key, v text);
-- @stream
insert into t07 select g, 'x'||g from generate_series(2129010, 2129025) g;
