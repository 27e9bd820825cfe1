-- A tombstone is superseded by a row, whose sequence says the same, and by a later tombstone.
DELETE FROM "autocdc"."shadow_8" AS h
USING "pg_temp"."events_8" AS e
WHERE h."k""1" = e."k""1" AND h."select" = e."select"
  AND (
    EXISTS (SELECT FROM "my""s"."Größe%s" AS t WHERE t."k""1" = h."k""1" AND t."select" = h."select")
    OR EXISTS (SELECT FROM "autocdc"."shadow_8" AS l WHERE l."k""1" = h."k""1" AND l."select" = h."select" AND l."__seq" > h."__seq")
  )
