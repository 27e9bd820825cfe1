-- A tombstone is superseded by a row, whose sequence says the same, and by a later tombstone.
DELETE FROM "autocdc"."shadow_7" AS h
USING "pg_temp"."events_7" AS e
WHERE h."id" = e."id"
  AND (
    EXISTS (SELECT FROM "crm"."users" AS t WHERE t."id" = h."id")
    OR EXISTS (SELECT FROM "autocdc"."shadow_7" AS l WHERE l."id" = h."id" AND l."__seq" > h."__seq")
  )
