-- X10: prepared transactions, committed and rolled back
-- @seed
create table x10(id int primary key, v text);
