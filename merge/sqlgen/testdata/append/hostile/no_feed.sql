(SELECT CAST(NULL AS integer) AS "k""1", CAST(NULL AS text) AS "select", CAST(NULL AS numeric) AS "Größe", CAST(NULL AS pg_lsn) AS "__lsn", CAST(NULL AS text) AS "__op" LIMIT 0) AS "Users"
