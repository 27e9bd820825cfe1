SELECT hashtextextended(CAST(ROW(q."k""1", q."select") AS text), 0) & 1023 AS bucket, count(*) AS rows, sum(hashtextextended(CAST(ROW(q."k""1", q."select", q."Größe") AS text), 1)) AS checksum
FROM (SELECT * FROM t) AS q
GROUP BY 1
