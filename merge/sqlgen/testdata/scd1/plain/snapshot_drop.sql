-- Rows that are not what is expected of them.
DELETE FROM "autocdc"."snapshot_3" AS q
WHERE NOT (((city IS NOT NULL
) IS TRUE) AND ((__xid > 0
) IS TRUE))
