-- X12: the walsender is terminated while streaming
-- @seed
create table x12(id int primary key);
-- @stream
insert into x12 values (1);
