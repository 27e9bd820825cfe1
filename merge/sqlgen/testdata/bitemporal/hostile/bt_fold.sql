-- Per epoch the events known by then; each epoch is folded as a key is.
INSERT INTO "pg_temp"."fold_8" ("__pos", "__grp", "__seq", "__kind", "__missing", "k""1", "select", "Größe")
SELECT row_number() OVER (ORDER BY e."__id", k."__pos"), e."__id", k."__seq", k."__kind", k."__missing", k."k""1", k."select", k."Größe"
FROM "pg_temp"."epoch_8" AS e
JOIN "pg_temp"."known_8" AS k ON k."__grp" = e."__grp" AND k."__sys" <= e."__sys"
