-- How many rows the snapshot is compared with.
SELECT count(*)
FROM (
  SELECT t."k""1", t."select", t."__start_at"
  FROM "my""s"."Größe%s" AS t
  WHERE t."__start_at" <= CAST($1 AS "my""s"."Größe%s__sequence") AND (t."__end_at" IS NULL OR t."__end_at" > CAST($1 AS "my""s"."Größe%s__sequence"))
) AS t
