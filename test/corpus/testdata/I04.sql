-- I04: schemas, tables and columns with names beyond ASCII, up to 63 bytes
-- @seed
create schema "テスト";
create table "テスト"."café"(pk serial primary key, "名前" text, "emoji😀" int);
create table "テスト"."十二三四五六七八九十一二三四五六七八九十一"("長長長長長長長長長長長長長長長長長長長長長" int primary key, "k""1" text);
-- @stream
insert into "テスト"."café"("名前") values ('日本語テキスト');
--
insert into "テスト"."十二三四五六七八九十一二三四五六七八九十一" values (1, 'x');
--
update "テスト"."十二三四五六七八九十一二三四五六七八九十一" set "k""1" = 'y';
