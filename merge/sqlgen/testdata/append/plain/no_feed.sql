(SELECT CAST(NULL AS integer) AS "id", CAST(NULL AS text) AS "name", CAST(NULL AS text) AS "city", CAST(NULL AS pg_lsn) AS "__lsn", CAST(NULL AS text) AS "__op" LIMIT 0) AS "Users"
