-- N14: a snapshot compared twice changes nothing the second time
-- @seed
create table n14(id int primary key, n numeric, d date);
insert into n14 values (1,'NaN','infinity'),(2,1,'2024-01-01');
-- @flows
CREATE STREAMING TABLE cur.n14;
CREATE FLOW n14_1 AS AUTO CDC INTO cur.n14 FROM SNAPSHOT (SELECT * FROM n14) KEYS (id) STORED AS SCD TYPE 1;
CREATE STREAMING TABLE hist.n14;
CREATE FLOW n14_2 AS AUTO CDC INTO hist.n14 FROM SNAPSHOT (SELECT * FROM n14) KEYS (id) STORED AS SCD TYPE 2;
