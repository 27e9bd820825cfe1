-- Per epoch the events known by then; each epoch is folded as a key is.
INSERT INTO "pg_temp"."fold_7" (pos, grp, seq, op, missing, "id", "name", "city")
SELECT row_number() OVER (ORDER BY e.id, k.pos), e.id, k.seq, k.op, k.missing, k."id", k."name", k."city"
FROM "pg_temp"."epoch_7" AS e
JOIN "pg_temp"."known_7" AS k ON k.grp = e.grp AND k.sys <= e.sys
