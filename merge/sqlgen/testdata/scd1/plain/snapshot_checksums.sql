SELECT hashtextextended(CAST(ROW(q."id") AS text), 0) & 1023 AS bucket, count(*) AS rows, sum(hashtextextended(CAST(ROW(q."id", q."name", q."city") AS text), 1)) AS checksum
FROM (SELECT * FROM t) AS q
GROUP BY 1
