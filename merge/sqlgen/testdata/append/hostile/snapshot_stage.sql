CREATE UNLOGGED TABLE "autocdc"."snapshot_3" AS
SELECT "k""1", "select" FROM "my""s"."Größe%s" WITH NO DATA
