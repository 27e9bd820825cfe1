-- T43: types of one name in two schemas
-- @seed
create schema s43a; create schema s43b;
create type s43a.color as enum ('red'); create type s43b.color as enum ('vert');
create table t43(id int primary key, a s43a.color, b s43b.color);
insert into t43 values (1,'red','vert');
-- @stream
insert into t43 values (2,'red','vert');
