-- S07: column lists: what is left out never reaches the target
-- @columns s07: id, a, b
-- @seed
create table s07(id int primary key, a text, secret text, b int);
create publication s07_pub for table s07 (id, a, b);
insert into s07 values (1,'x','s',1);
-- @flows
CREATE STREAMING TABLE cur.s07;
CREATE FLOW cur_s07 AS AUTO CDC INTO cur.s07 FROM CHANGES(s07) KEYS (id) COLUMNS (id, a, b) STORED AS SCD TYPE 1;
CREATE STREAMING TABLE hist.s07;
CREATE FLOW hist_s07 AS AUTO CDC INTO hist.s07 FROM CHANGES(s07) KEYS (id) COLUMNS (id, a, b) STORED AS SCD TYPE 2;
-- @stream
insert into s07 values (2,'y','t',2);
--
alter table s07 add column c int;
--
update s07 set secret = 'u' where id = 1;
-- @check
select count(*) from pg_attribute where attrelid = to_regclass('cur.s07') and attname = 'secret';
