-- An event that carries all replaces earlier ones of the same two times.
DELETE FROM "autocdc"."shadow_8" AS h
USING "pg_temp"."events_8" AS e
WHERE h."k""1" = e."k""1" AND h."select" = e."select" AND h."__seq" = e."__seq" AND h."__sys" = e."__sys"
  AND e."__missing" IS NULL AND e."__kind" <> 't'
  AND e."__flow" >= h."__flow"
