-- I07: other pipelines' slots, whose names differ in one character, stay
-- @seed
create table i07(id int primary key);
insert into i07 values (1);
