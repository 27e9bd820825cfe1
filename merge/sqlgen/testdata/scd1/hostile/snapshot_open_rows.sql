-- How many keys the target has now.
SELECT count(*)
FROM "my""s"."Größe%s" AS t
