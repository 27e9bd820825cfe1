SELECT count(*)
FROM (
  SELECT t."k""1", t."select", t."Größe", t."__start_at"
  FROM "my""s"."Größe%s" AS t
  WHERE t."__end_at" IS NULL
) AS t
