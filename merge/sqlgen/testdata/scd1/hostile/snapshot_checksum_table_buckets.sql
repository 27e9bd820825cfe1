CREATE TEMP TABLE "pg_temp"."checksums_8" (bucket bigint, rows bigint, checksum numeric) ON COMMIT DROP
