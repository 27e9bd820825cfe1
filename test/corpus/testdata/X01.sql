-- X01: subtransactions rolled back, with little memory for decoding
-- @seed
create table x01(id int primary key, v text);
-- @stream
set logical_decoding_work_mem = '64kB';
--
do $$ begin
  for i in 1..200 loop
    begin
      insert into x01 select i*1000+g, repeat('x',500) from generate_series(1,50) g;
      if i % 2 = 0 then raise exception 'abort sub'; end if;
    exception when others then null; end;
  end loop;
end $$;
