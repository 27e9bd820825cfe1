-- L09: the source is promoted and its slot is gone or older
-- @seed
create table l09(id int primary key);
