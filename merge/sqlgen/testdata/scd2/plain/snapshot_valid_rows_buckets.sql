SELECT count(*)
FROM (
  SELECT t."id", t."name", t."city", t."__start_at"
  FROM "crm"."users" AS t
  WHERE t."__end_at" IS NULL
) AS t
