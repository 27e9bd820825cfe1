-- N15: refresh while the table is written
-- @seed
create table n15(id int primary key, v int);
insert into n15 select g, 0 from generate_series(1,1000) g;
