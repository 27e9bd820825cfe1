-- I01: foreign publications with odd names; names of pipelines that a server would fold are refused
-- @seed
create table i01(id int primary key);
create publication "My Pub, 1" for table i01;
-- @stream
insert into i01 values (1);
