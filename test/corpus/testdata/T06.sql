-- T06: integers beyond 2^53 stay exact, as keys, values and inside json
-- @seed
create table t06(id bigint primary key, v bigint, j jsonb);
insert into t06 values (9007199254740993, 9223372036854775807, '{"big": 9007199254740993}');
-- @stream
insert into t06 values (-9223372036854775808, -9007199254740993, '{"big": 123456789012345678901234567890}');
--
update t06 set v = v - 1 where id = 9007199254740993;
