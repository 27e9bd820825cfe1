-- L01: the slot is dropped and made anew behind our back
-- @seed
create table l01(id int primary key);
insert into l01 values (1);
