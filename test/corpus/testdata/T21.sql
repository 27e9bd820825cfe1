-- T21: years before Christ do not depend on the locale of the host
-- @seed
create table t21(id int primary key, ts timestamp);
-- @stream
insert into t21 values (1,'0100-05-05 00:00:00 BC');
