-- Rows that came, changed and went, and the rows that are current.
SELECT count(*) FILTER (WHERE e."__kind" = 'u'), count(*) FILTER (WHERE e."__kind" = 'd'),
  (SELECT count(*) FROM "crm"."users" AS t WHERE t."__end_at" IS NULL)
FROM "pg_temp"."events_7" AS e
