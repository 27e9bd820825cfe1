-- Parameter $1: the end of the source transaction, for events staged before it was known.
MERGE INTO "my""s"."Größe%s" AS t
USING "pg_temp"."events_8" AS s
ON t."k""1" = s."k""1" AND t."select" = s."select"
WHEN MATCHED AND s."__kind" = 'd' THEN
  DELETE
WHEN MATCHED THEN
  UPDATE SET "k""1" = s."k""1", "select" = s."select", "Größe" = s."Größe", "__sequence" = s."__seq"
WHEN NOT MATCHED AND s."__kind" = 'u' THEN
  INSERT ("k""1", "select", "Größe", "__sequence")
  VALUES (s."k""1", s."select", s."Größe", s."__seq")
