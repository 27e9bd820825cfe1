-- T28: types without equality or order pass as text: xml, point, tsvector
-- @seed
create table t28(id int primary key, m money, x xml, p point, tsv tsvector, ci cidr);
insert into t28 values (1,'1.00','<a/>','(1,2)',to_tsvector('english','fat cats'),'10.0.0.0/8');
-- @stream
insert into t28 select 2, m, x, p, tsv, ci from t28;
