-- T30: bytea by copy and stream: empty, zeros, backslashes
-- @seed
create table t30(id int primary key, b bytea);
insert into t30 values (1,'\xdeadbeef'),(2,'\x');
-- @stream
insert into t30 values (3,'\xdeadbeef'),(4,'\x'),(5,'\x5c785c30');
--
update t30 set b = '\x00ff' where id = 1;
-- @check
select id, octet_length(b), encode(b,'hex') from t30 order by id;
