-- C06: control characters, newlines and a value of a megabyte
-- @seed
create table c06(id serial primary key, t text);
-- @stream
insert into c06(t) values (E'test\n'), (E'\\'), (E'a\rb'), (E'\v\f'), (repeat('x', 1000000) || E'\n');
--
insert into c06(t) select string_agg(chr(i), '') from generate_series(1, 127) i;
