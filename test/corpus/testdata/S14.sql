-- S14: defaults are never parsed
-- @seed
create table s14(id int primary key, t text default 'it''s', u text default E'a\\b', v text default 'x'::text || 'y');
-- @stream
insert into s14(id) values (1);
