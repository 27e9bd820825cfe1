CREATE UNLOGGED TABLE "autocdc"."snapshot_3" AS
SELECT "id", "name", "city" FROM "crm"."users" WITH NO DATA
