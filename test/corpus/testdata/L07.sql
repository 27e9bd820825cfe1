-- L07: an old transaction holds the slot up: the log names it
-- @seed
create table l07(id int primary key);
