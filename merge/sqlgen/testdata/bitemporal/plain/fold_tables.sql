CREATE TEMP TABLE "pg_temp"."late_7" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS grp, "id", "__start_at" AS base, "__system_start_at" AS sys FROM "crm"."users" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."fold_7" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS pos, NULL::bigint AS grp, "__start_at" AS seq, NULL::"char" AS op, NULL::varbit AS missing, NULL::text COLLATE "C" AS flow, false AS floor, "id", "name", "city"
FROM "crm"."users" WITH NO DATA
;
ALTER TABLE "pg_temp"."fold_7" ADD PRIMARY KEY (pos)
;
CREATE TEMP TABLE "pg_temp"."known_7" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS pos, NULL::bigint AS grp, "__start_at" AS seq, "__system_start_at" AS sys, NULL::"char" AS op, NULL::varbit AS missing, NULL::text COLLATE "C" AS flow, "id", "name", "city"
FROM "crm"."users" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."epoch_7" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS id, NULL::bigint AS grp, "__system_start_at" AS sys FROM "crm"."users" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."belief_7" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS grp, NULL::bigint AS epoch, "__system_start_at" AS sys, "__start_at" AS seq, "__end_at" AS next_seq, "id", "name", "city"
FROM "crm"."users" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."island_7" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS grp, NULL::bigint AS epoch, "__system_start_at" AS sys, "__start_at" AS seq, "__system_end_at" AS system_end FROM "crm"."users" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."fold_step_7" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS n, NULL::bigint AS grp, "__start_at" AS seq, NULL::"char" AS what, NULL::tid AS row_id, false AS late, NULL::varbit AS missing, NULL::boolean AS floor
FROM "crm"."users" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."fold_run_7" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS grp, NULL::bigint AS run, NULL::"char" AS what, "__start_at" AS seq, "__start_at" AS next_seq, NULL::bigint AS last_n, NULL::tid AS row_id, false AS leads
FROM "crm"."users" WITH NO DATA
