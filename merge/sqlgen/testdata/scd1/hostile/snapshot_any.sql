-- Whether there are rows to compare with.
SELECT EXISTS (SELECT FROM "my""s"."Größe%s" AS t)
