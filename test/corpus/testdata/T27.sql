-- T27: negative money, deleted under full identity
-- @seed
create table t27(id int primary key, m money);
alter table t27 replica identity full;
insert into t27 values (1,'-5.25');
-- @stream
delete from t27 where id = 1;
--
insert into t27 values (2,'-1234567.89');
