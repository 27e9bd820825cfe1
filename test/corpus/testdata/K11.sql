-- K11: text keys under locales and a case-blind collation
-- @seed
create table k11(k text primary key, v int);
insert into k11 values ('a',1),('B',2),('ä',3),('Z',4),('_x',5),('A',6),('é',7),('z',8);
create collation if not exists k11_ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
create table k11ci(k text collate k11_ci primary key, v int);
insert into k11ci values ('abc',1),('ABD',2);
-- @target
create collation if not exists public.k11_ci (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
-- @stream
insert into k11 values ('ß', 9), ('Ä', 10);
--
update k11 set v = v + 1 where k in ('_x', 'A');
--
update k11ci set k = 'ABC', v = 5 where k = 'abc';
--
delete from k11 where k = 'a';
-- @check
select k, v from k11ci order by v;
