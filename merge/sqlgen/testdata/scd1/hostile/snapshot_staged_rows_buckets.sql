SELECT count(*)
FROM "autocdc"."snapshot_3"
