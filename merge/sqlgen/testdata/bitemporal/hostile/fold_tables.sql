CREATE TEMP TABLE "pg_temp"."late_8" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS grp, "k""1", "select", "__start_at" AS base, "__system_start_at" AS sys FROM "my""s"."Größe%s" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."fold_8" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS pos, NULL::bigint AS grp, "__start_at" AS seq, NULL::"char" AS op, NULL::varbit AS missing, NULL::text COLLATE "C" AS flow, false AS floor, "k""1", "select", "Größe"
FROM "my""s"."Größe%s" WITH NO DATA
;
ALTER TABLE "pg_temp"."fold_8" ADD PRIMARY KEY (pos)
;
CREATE TEMP TABLE "pg_temp"."known_8" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS pos, NULL::bigint AS grp, "__start_at" AS seq, "__system_start_at" AS sys, NULL::"char" AS op, NULL::varbit AS missing, NULL::text COLLATE "C" AS flow, "k""1", "select", "Größe"
FROM "my""s"."Größe%s" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."epoch_8" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS id, NULL::bigint AS grp, "__system_start_at" AS sys FROM "my""s"."Größe%s" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."belief_8" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS grp, NULL::bigint AS epoch, "__system_start_at" AS sys, "__start_at" AS seq, "__end_at" AS next_seq, "k""1", "select", "Größe"
FROM "my""s"."Größe%s" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."island_8" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS grp, NULL::bigint AS epoch, "__system_start_at" AS sys, "__start_at" AS seq, "__system_end_at" AS system_end FROM "my""s"."Größe%s" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."fold_step_8" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS n, NULL::bigint AS grp, "__start_at" AS seq, NULL::"char" AS what, NULL::tid AS row_id, false AS late, NULL::varbit AS missing, NULL::boolean AS floor
FROM "my""s"."Größe%s" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."fold_run_8" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS grp, NULL::bigint AS run, NULL::"char" AS what, "__start_at" AS seq, "__start_at" AS next_seq, NULL::bigint AS last_n, NULL::tid AS row_id, false AS leads
FROM "my""s"."Größe%s" WITH NO DATA
