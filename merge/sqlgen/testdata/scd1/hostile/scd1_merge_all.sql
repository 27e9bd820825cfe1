-- Parameter $1: the end of the source transaction, for events staged before it was known.
MERGE INTO "my""s"."Größe%s" AS t
USING (
  SELECT DISTINCT ON (e."k""1", e."select") e."k""1", e."select", e."Größe", $1::pg_lsn AS "__seq", e."__kind", e."__missing"
  FROM "pg_temp"."events_8" AS e
  ORDER BY e."k""1", e."select", e."__n" DESC
) AS s
ON t."k""1" = s."k""1" AND t."select" = s."select"
WHEN MATCHED AND s."__kind" = 'd' THEN
  DELETE
WHEN MATCHED THEN
  UPDATE SET "k""1" = CASE WHEN COALESCE(get_bit(s.__missing, 0), 0) = 1 THEN t."k""1" ELSE s."k""1" END, "select" = CASE WHEN COALESCE(get_bit(s.__missing, 1), 0) = 1 THEN t."select" ELSE s."select" END, "Größe" = CASE WHEN COALESCE(get_bit(s.__missing, 2), 0) = 1 THEN t."Größe" ELSE s."Größe" END, "__sequence" = s."__seq"
WHEN NOT MATCHED AND s."__kind" = 'u' THEN
  INSERT ("k""1", "select", "Größe", "__sequence")
  VALUES (s."k""1", s."select", s."Größe", s."__seq")
