CREATE TEMP TABLE "pg_temp"."late_8" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS "__grp", "k""1", "select", "__start_at" AS "__base", "__system_start_at" AS "__sys" FROM "my""s"."Größe%s" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."fold_8" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS "__pos", NULL::bigint AS "__grp", "__start_at" AS "__seq", NULL::"char" AS "__kind", NULL::varbit AS "__missing", NULL::text COLLATE "C" AS "__flow", false AS "__floor", "k""1", "select", "Größe"
FROM "my""s"."Größe%s" WITH NO DATA
;
ALTER TABLE "pg_temp"."fold_8" ADD PRIMARY KEY ("__pos")
;
CREATE TEMP TABLE "pg_temp"."known_8" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS "__pos", NULL::bigint AS "__grp", "__start_at" AS "__seq", "__system_start_at" AS "__sys", NULL::"char" AS "__kind", NULL::varbit AS "__missing", NULL::text COLLATE "C" AS "__flow", "k""1", "select", "Größe"
FROM "my""s"."Größe%s" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."epoch_8" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS "__id", NULL::bigint AS "__grp", "__system_start_at" AS "__sys" FROM "my""s"."Größe%s" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."belief_8" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS "__grp", NULL::bigint AS "__epoch", "__system_start_at" AS "__sys", "__start_at" AS "__seq", "__end_at" AS "__next_seq", "k""1", "select", "Größe"
FROM "my""s"."Größe%s" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."island_8" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS "__grp", NULL::bigint AS "__epoch", "__system_start_at" AS "__sys", "__start_at" AS "__seq", "__system_end_at" AS "__system_end" FROM "my""s"."Größe%s" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."fold_step_8" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS "__n", NULL::bigint AS "__grp", "__start_at" AS "__seq", NULL::"char" AS "__what", NULL::tid AS "__row_id", false AS "__late", NULL::varbit AS "__missing", NULL::boolean AS "__floor"
FROM "my""s"."Größe%s" WITH NO DATA
;
CREATE TEMP TABLE "pg_temp"."fold_run_8" ON COMMIT DELETE ROWS AS
SELECT NULL::bigint AS "__grp", NULL::bigint AS "__run", NULL::"char" AS "__what", "__start_at" AS "__seq", "__start_at" AS "__next_seq", NULL::bigint AS "__last_n", NULL::tid AS "__row_id", false AS "__leads"
FROM "my""s"."Größe%s" WITH NO DATA
