CREATE TEMP TABLE "pg_temp"."checksums_7" (bucket bigint, rows bigint, checksum numeric) ON COMMIT DROP
