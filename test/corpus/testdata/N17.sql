-- N17: a refresh that is cut off leaves the old rows readable
-- @seed
create table n17(id int primary key, v text); insert into n17 values (1,'a');
