-- X09: a large transaction of tables that nobody follows
-- @tables x09
-- @seed
create table x09(id int primary key); create table x09_unpub(id bigserial, v text);
create publication x09_pub for table x09;
-- @stream
insert into x09_unpub(v) select repeat('z',100) from generate_series(1,300000);
--
insert into x09 values (1);
