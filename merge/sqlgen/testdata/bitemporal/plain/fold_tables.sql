CREATE TEMP TABLE "pg_temp"."late_7" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS "__grp", "id", "__start_at" AS "__base", "__system_start_at" AS "__sys" FROM "crm"."users" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."fold_7" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS "__pos", NULL::bigint AS "__grp", "__start_at" AS "__seq", NULL::"char" AS "__kind", NULL::varbit AS "__missing", NULL::text COLLATE "C" AS "__flow", false AS "__floor", "id", "name", "city"
FROM "crm"."users" WITH NO DATA
;
ALTER TABLE "pg_temp"."fold_7" ADD PRIMARY KEY ("__pos")
;
CREATE TEMP TABLE "pg_temp"."known_7" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS "__pos", NULL::bigint AS "__grp", "__start_at" AS "__seq", "__system_start_at" AS "__sys", NULL::"char" AS "__kind", NULL::varbit AS "__missing", NULL::text COLLATE "C" AS "__flow", "id", "name", "city"
FROM "crm"."users" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."epoch_7" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS "__id", NULL::bigint AS "__grp", "__system_start_at" AS "__sys" FROM "crm"."users" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."belief_7" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS "__grp", NULL::bigint AS "__epoch", "__system_start_at" AS "__sys", "__start_at" AS "__seq", "__end_at" AS "__next_seq", "id", "name", "city"
FROM "crm"."users" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."island_7" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS "__grp", NULL::bigint AS "__epoch", "__system_start_at" AS "__sys", "__start_at" AS "__seq", "__system_end_at" AS "__system_end" FROM "crm"."users" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."fold_step_7" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS "__n", NULL::bigint AS "__grp", "__start_at" AS "__seq", NULL::"char" AS "__what", NULL::tid AS "__row_id", false AS "__late", NULL::varbit AS "__missing", NULL::boolean AS "__floor"
FROM "crm"."users" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."fold_run_7" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS "__grp", NULL::bigint AS "__run", NULL::"char" AS "__what", "__start_at" AS "__seq", "__start_at" AS "__next_seq", NULL::bigint AS "__last_n", NULL::tid AS "__row_id", false AS "__leads"
FROM "crm"."users" WITH NO DATA
