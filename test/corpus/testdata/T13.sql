-- T13: json with half a surrogate pair or an escaped backslash before u is opaque text
-- @seed
create table t13(id int primary key, j json);
-- @stream
insert into t13 values (1, '{"half":"\ud83d"}'), (2, '{"path":"\\a\\b\\ufoobar"}');
-- @check
select id, j::text from t13 order by id;
