-- I03: names with dots, hashes and slashes, reserved words as names
-- @seed
create table "table_with_pk.1#2/3"(id int primary key, v text);
create table "9lives"(id int primary key);
create table "user"("order" int primary key, "group" text);
insert into "table_with_pk.1#2/3" values (1,'a'); insert into "9lives" values (1); insert into "user" values (1,'g');
-- @stream
insert into "table_with_pk.1#2/3" values (2,'b');
--
insert into "user" values (2,'h');
