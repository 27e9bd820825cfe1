CREATE TEMP TABLE "pg_temp"."late_8" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS grp, "k""1", "select", "__sequence" AS base FROM "my""s"."Größe%s" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."fold_8" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS pos, NULL::bigint AS grp, "__sequence" AS seq, NULL::"char" AS op, NULL::varbit AS missing, NULL::text COLLATE "C" AS flow, false AS floor, "k""1", "select", "Größe"
FROM "my""s"."Größe%s" WITH NO DATA
;
ALTER TABLE "pg_temp"."fold_8" ADD PRIMARY KEY (pos)
;
CREATE TEMP TABLE "pg_temp"."fold_step_8" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS n, NULL::bigint AS grp, "__sequence" AS seq, NULL::"char" AS what, NULL::tid AS row_id, false AS late, NULL::varbit AS missing, NULL::boolean AS floor
FROM "my""s"."Größe%s" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."fold_run_8" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS grp, NULL::bigint AS run, NULL::"char" AS what, "__sequence" AS seq, "__sequence" AS next_seq, NULL::bigint AS last_n, NULL::tid AS row_id, false AS leads
FROM "my""s"."Größe%s" WITH NO DATA
