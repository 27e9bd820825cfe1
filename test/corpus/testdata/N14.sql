-- N14: a snapshot compared twice changes nothing the second time
-- @seed
create table n14(id int primary key, n numeric, d date);
insert into n14 values (1,'NaN','infinity'),(2,1,'2024-01-01');
