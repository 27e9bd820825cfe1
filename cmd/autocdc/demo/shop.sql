CREATE TABLE customers (id int PRIMARY KEY, name text NOT NULL, city text);
CREATE TABLE orders (id int PRIMARY KEY, customer int NOT NULL REFERENCES customers, status text NOT NULL, total numeric(10,2));
CREATE TABLE price_feed (sku text, price numeric(10,2), valid_from timestamptz, withdrawn bool);
INSERT INTO customers VALUES (1, 'Ada', 'Berlin'), (2, 'Grace', 'Hamburg');
INSERT INTO orders VALUES (100, 1, 'new', 19.90);
INSERT INTO price_feed VALUES ('tea', 3.50, '2026-01-01', false), ('coffee', 5.00, '2026-01-01', false);
