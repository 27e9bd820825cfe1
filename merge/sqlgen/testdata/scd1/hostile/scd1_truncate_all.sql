DELETE FROM "my""s"."Größe%s"
