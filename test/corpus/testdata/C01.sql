-- C01: null, empty, \N and the word NULL are four values
-- @seed
create table c01(id int primary key, t text, v varchar(5), b bytea, nn text not null);
insert into c01 values (1,'','','\x',''),(2,null,null,null,'\N'),(3,'\N','NULL','\x5c4e','""');
-- @stream
insert into c01 select id+10, t, v, b, nn from c01;
-- @check
select id, t is null, t, v is null, v, b is null, nn from c01 order by id;
