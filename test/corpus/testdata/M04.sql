-- M04: a target table of the user's without its key
-- @refused primary key
-- @seed
create table m04(id bigint primary key, email text not null, balance numeric(12,2));
insert into m04 values (1,'a@x',100.00);
-- @target
create table cur.m04(id bigint, email text, balance numeric(12,2), __sequence pg_lsn);
-- @flows
CREATE STREAMING TABLE cur.m04;
CREATE FLOW cur_m04 AS AUTO CDC INTO cur.m04 FROM CHANGES(m04) KEYS (id) STORED AS SCD TYPE 1;
