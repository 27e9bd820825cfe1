-- T10: json is kept byte for byte, jsonb as jsonb
-- @seed
create table t10(id int primary key, j json, jb jsonb);
-- @stream
insert into t10 values (1, '{"n": 123456789012345678901234567890.123456789012345678901234567890}',
                           '{"n": 123456789012345678901234567890.123456789012345678901234567890}');
--
insert into t10 values (2, '{"a":1, "a":2,   "b" : 1.10}', '{"b":1.10}');
-- @check
select id, j::text, jb::text from t10 order by id;
