-- Open rows that go on: the values of the last event, and the end if another version follows.
UPDATE "my""s"."Größe%s" AS t
SET "k""1" = e."k""1", "select" = e."select", "Größe" = e."Größe", "__end_at" = r."__next_seq"
FROM (
  SELECT s."__what", s."__seq", CAST(NULL AS "my""s"."Größe%s__sequence") AS "__next_seq", s."__n" AS "__last_n", s."__row_id", true AS "__leads"
  FROM "pg_temp"."step_8" AS s
  WHERE s."__what" <> '-' AND NOT s."__late"
) AS r
JOIN "pg_temp"."events_8" AS e ON e."__n" = r."__last_n"
WHERE t.ctid = r."__row_id" AND r."__leads" AND r."__what" = '='
  AND (r."__next_seq" IS NOT NULL OR NOT record_image_eq(ROW(t."k""1", t."select", t."Größe"), ROW(e."k""1", e."select", e."Größe")))
