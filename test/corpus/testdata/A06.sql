-- A06: a login that is revoked while streaming, and granted again
-- @seed
create table a06(id int primary key);
