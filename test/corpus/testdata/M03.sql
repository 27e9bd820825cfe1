-- M03: the last change of all arrives without another one behind it
-- @seed
create table m03(id int primary key);
