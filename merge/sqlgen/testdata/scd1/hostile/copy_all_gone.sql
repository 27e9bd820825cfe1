-- Parameter $1: the sequence of the last copy before the truncate.
DELETE FROM "my""s"."Größe%s" AS t
WHERE t."__sequence" <= $1
