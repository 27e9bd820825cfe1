-- A truncate deletes every row of an earlier or equal sequence.
DELETE FROM "crm"."users" AS t
WHERE t."__sequence" <= (
  SELECT e."__seq" FROM "pg_temp"."events_7" AS e WHERE e."__kind" = 't' ORDER BY e."__seq" DESC LIMIT 1
)
