-- L10: the publication is dropped and made anew
-- @seed
create table l10(id int primary key);
insert into l10 values (1);
