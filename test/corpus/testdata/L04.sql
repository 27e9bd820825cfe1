-- L04: other tables write: the slot moves on all the same
-- @tables l04
-- @seed
create table l04(id int primary key); create table l04_noise(v text);
create publication l04_pub for table l04;
-- @stream
insert into l04_noise select repeat('n',500) from generate_series(1,20000);
