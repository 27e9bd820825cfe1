-- O01: an unchanged toasted value is carried over several updates of one batch
-- @seed
create table o01(id int primary key, big text, n int);
alter table o01 alter column big set storage external;
insert into o01 select g, repeat(md5(g::text), 400), 0 from generate_series(1,3) g;
-- @stream
update o01 set n = n + 1;
--
update o01 set n = n + 1;
-- @check
select id, n, md5(big), length(big) from o01 order by id;
