-- T34: enums, and domains over them, as keys
-- @seed
create type mood34 as enum ('sad','ok','happy');
create domain dmood34 as mood34;
create table t34(k mood34, d dmood34, n int, primary key (k, n));
create table t34b(d dmood34 primary key, n int);
insert into t34 values ('sad','sad',1),('ok','ok',2);
insert into t34b values ('happy',1),('sad',2);
-- @stream
delete from t34 where k = 'sad';
--
delete from t34b where d::mood34 = 'happy';
--
-- d = 'happy' has no operator: the same trap waits in generated SQL
update t34b set n = 99 where d::mood34 = 'sad';
