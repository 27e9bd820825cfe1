-- I07: other pipelines' slots, whose names differ in one character, stay
-- @seed
select pg_create_logical_replication_slot('app_sync_1_10','pgoutput');
select pg_create_logical_replication_slot('app_sync_1x10','pgoutput');
