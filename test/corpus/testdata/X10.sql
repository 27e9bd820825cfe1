-- X10: prepared transactions, committed and rolled back
-- @seed
create table x10(id int primary key, v text);
-- @stream
begin; insert into x10 values (1,'p'); prepare transaction 'x10a';
--
begin; insert into x10 values (2,'n'); commit;
--
commit prepared 'x10a';
--
begin; insert into x10 values (3,'r'); prepare transaction 'x10b';
--
rollback prepared 'x10b';
