-- I06: names that are patterns of other names
-- @seed
create table "a\b"(id int primary key); create table "a_b"(id int primary key); create table "axb"(id int primary key, extra text);
insert into "a\b" values (1); insert into "a_b" values (2); insert into "axb" values (3,'e');
-- @stream
insert into "a_b" values (4);
