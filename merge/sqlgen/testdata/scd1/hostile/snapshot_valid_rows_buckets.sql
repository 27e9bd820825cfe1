SELECT count(*)
FROM "my""s"."Größe%s" AS t
