-- Open rows that go on: the values of the last event, and the end if another version follows.
UPDATE "my""s"."Größe%s" AS t
SET "k""1" = e."k""1", "select" = e."select", "Größe" = e."Größe", "__end_at" = r.next_seq
FROM "pg_temp"."run_8" AS r
JOIN "pg_temp"."events_8" AS e ON e."__n" = r.last_n
WHERE t.ctid = r.row_id AND r.leads AND r.what = '='
  AND (r.next_seq IS NOT NULL OR NOT record_image_eq(ROW(t."k""1", t."select", t."Größe"), ROW(e."k""1", e."select", e."Größe")))
