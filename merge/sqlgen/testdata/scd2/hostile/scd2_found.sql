SELECT COALESCE(bool_or(s."__late"), false), COALESCE(bool_or(s."__what" IN ('=', '-') AND NOT s."__late"), false), count(*) FILTER (WHERE s."__late") FROM "pg_temp"."step_8" AS s
