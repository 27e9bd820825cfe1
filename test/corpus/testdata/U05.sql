-- U05: TRUNCATE RESTART IDENTITY: the same key afterwards is a new version
-- @seed
create table u05(id serial primary key, v text);
insert into u05(v) select 'x' from generate_series(1,10);
-- @stream
truncate u05 restart identity;
--
insert into u05(v) values ('first again');
