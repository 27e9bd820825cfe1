-- X06: many rows share one LSN, and the service is killed
-- @seed
create table x06(id int primary key, v text);
-- @check
select count(*) from x06;
