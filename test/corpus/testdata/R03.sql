-- R03: REPLICA IDENTITY NOTHING is refused with the statement that helps
-- @refused "public"."r03" has no usable replica identity|ALTER TABLE "public"."r03" REPLICA IDENTITY DEFAULT
-- @seed
create table r03(id int primary key, v text);
alter table r03 replica identity nothing;
insert into r03 values (1,'a');
