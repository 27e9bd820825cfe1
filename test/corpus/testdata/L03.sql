-- L03: slots whose columns are null do not break status
-- @seed
create table l03(id int primary key);
