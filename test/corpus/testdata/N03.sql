-- N03: all tables are copied as of one moment
-- @seed
create table n03a(id int primary key, bal int); create table n03b(id int primary key, bal int);
insert into n03a select g, 100 from generate_series(1,1000) g; insert into n03b select g, 100 from generate_series(1,1000) g;
