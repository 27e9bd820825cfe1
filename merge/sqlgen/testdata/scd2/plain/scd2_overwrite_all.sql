-- Open rows that go on: the values of the last event, and the end if another version follows.
UPDATE "crm"."users" AS t
SET "id" = e."id", "name" = e."name", "city" = e."city", "__end_at" = r."__next_seq"
FROM "pg_temp"."run_7" AS r
JOIN "pg_temp"."events_7" AS e ON e."__n" = r."__last_n"
WHERE t.ctid = r."__row_id" AND r."__leads" AND r."__what" = '='
  AND (r."__next_seq" IS NOT NULL OR NOT record_image_eq(ROW(t."id", t."name", t."city"), ROW(e."id", e."name", e."city")))
