-- Per epoch the events known by then; each epoch is folded as a key is.
INSERT INTO "pg_temp"."fold_8" (pos, grp, seq, op, missing, "k""1", "select", "Größe")
SELECT row_number() OVER (ORDER BY e.id, k.pos), e.id, k.seq, k.op, k.missing, k."k""1", k."select", k."Größe"
FROM "pg_temp"."epoch_8" AS e
JOIN "pg_temp"."known_8" AS k ON k.grp = e.grp AND k.sys <= e.sys
