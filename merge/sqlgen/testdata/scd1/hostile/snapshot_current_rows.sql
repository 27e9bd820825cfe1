-- How many rows the snapshot is compared with.
SELECT count(*)
FROM "my""s"."Größe%s" AS t
