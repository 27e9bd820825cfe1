CREATE UNLOGGED TABLE "autocdc"."snapshot_3" AS
SELECT "id", "name" FROM "crm"."users" WITH NO DATA
