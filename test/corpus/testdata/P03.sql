-- P03: rows move across a row filter
-- @where region = 'eu'
-- @seed
create table p03(id int primary key, region text not null, v int);
alter table p03 replica identity full;
create publication p03_pub for table p03 where (region = 'eu');
insert into p03 values (1,'eu',1),(2,'us',2);
-- @flows
CREATE TEMPORARY VIEW p03_eu AS SELECT * FROM CHANGES(p03) WHERE region = 'eu';
CREATE STREAMING TABLE cur.p03;
CREATE FLOW cur_p03 AS AUTO CDC INTO cur.p03 FROM p03_eu KEYS (id) STORED AS SCD TYPE 1;
CREATE STREAMING TABLE hist.p03;
CREATE FLOW hist_p03 AS AUTO CDC INTO hist.p03 FROM p03_eu KEYS (id) STORED AS SCD TYPE 2;
-- @stream
insert into p03 values (3,'us',3),(4,'eu',4);
--
update p03 set region = 'us' where id = 1;
--
update p03 set region = 'eu' where id = 2;
