-- K10: a nullable unique column is no key
-- @refused KEYS (k) may be null in "public"."k10"|ALTER TABLE "public"."k10" ALTER COLUMN "k" SET NOT NULL
-- @seed
create table k10(k int, v text);
create unique index k10_u on k10(k);
insert into k10 values (1,'a'),(null,'n1'),(2,'b'),(null,'n2');
-- @flows
CREATE STREAMING TABLE cur.k10;
CREATE FLOW cur_k10 AS AUTO CDC INTO cur.k10 FROM CHANGES(k10) KEYS (k) STORED AS SCD TYPE 1;
