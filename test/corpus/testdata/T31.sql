-- T31: bit and varbit keep their length
-- @seed
create table t31(id serial primary key, a bit(3), b bit varying(5));
insert into t31(a,b) values (B'101', B'00');
-- @stream
insert into t31(a,b) values (B'10'::bit(3), B'101'), (B'000', B'');
