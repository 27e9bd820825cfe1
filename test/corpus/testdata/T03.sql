-- T03: floats keep every bit: NaN, infinities, -0, subnormals
-- @seed
create table t03(id int primary key, f8 float8, f4 float4);
insert into t03 values (1,'NaN','NaN'),(2,'Infinity','-Infinity'),(3,'-0','-0'),(4,'4.9e-324','1.4e-45');
-- @stream
insert into t03 select id+10, f8, f4 from t03;
-- @check
select id, float8send(f8), float4send(f4) from t03 order by id;
