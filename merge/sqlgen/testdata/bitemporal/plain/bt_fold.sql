-- Per epoch the events known by then; each epoch is folded as a key is.
INSERT INTO "pg_temp"."fold_7" ("__pos", "__grp", "__seq", "__kind", "__missing", "id", "name", "city")
SELECT row_number() OVER (ORDER BY e."__id", k."__pos"), e."__id", k."__seq", k."__kind", k."__missing", k."id", k."name", k."city"
FROM "pg_temp"."epoch_7" AS e
JOIN "pg_temp"."known_7" AS k ON k."__grp" = e."__grp" AND k."__sys" <= e."__sys"
