SELECT COALESCE(bool_or(late), false), COALESCE(bool_or(what IN ('=', '-') AND NOT late), false), count(*) FILTER (WHERE late) FROM "pg_temp"."step_8"
