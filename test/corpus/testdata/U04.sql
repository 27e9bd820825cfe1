-- U04: a target that its user partitioned
-- @seed
create table u04(id int primary key, k text);
insert into u04 values (1,'a');
-- @target
create table cur.u04(id int, k text, __sequence pg_lsn, primary key (id)) partition by range (id);
create table cur.u04_low partition of cur.u04 for values from (minvalue) to (2);
create table cur.u04_high partition of cur.u04 for values from (2) to (maxvalue);
create table hist.u04(id int, k text, __start_at timestamptz not null, __end_at timestamptz, primary key (id, __start_at)) partition by range (__start_at);
create table hist.u04_old partition of hist.u04 for values from (minvalue) to ('2020-01-01');
create table hist.u04_new partition of hist.u04 for values from ('2020-01-01') to (maxvalue);
-- @stream
insert into u04 values (2,'b');
--
truncate u04;
--
insert into u04 values (3,'c');
