-- L12: the slot belongs to another database
-- @seed
create table l12(id int primary key);
