-- N12: the service is killed twice during the first copy
-- @seed
create table n12(id int primary key, v text);
insert into n12 select g, md5(g::text) from generate_series(1,300000) g;
