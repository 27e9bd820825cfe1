-- the current rows of a table
CREATE STREAMING TABLE dw.customers;
CREATE FLOW customers AS AUTO CDC INTO dw.customers
FROM CHANGES(shop.public.customers) KEYS (id) STORED AS SCD TYPE 1;

-- every version of each row, with the time from which until which it held
CREATE STREAMING TABLE dw.orders_history;
CREATE FLOW orders_history AS AUTO CDC INTO dw.orders_history
FROM CHANGES(shop.public.orders) KEYS (id) STORED AS SCD TYPE 2;

-- a feed of events, ordered by a column of its own: late ones find their place
CREATE STREAMING TABLE dw.prices;
CREATE FLOW prices AS AUTO CDC INTO dw.prices
FROM STREAM(shop.public.price_feed) KEYS (sku)
APPLY AS DELETE WHEN withdrawn
SEQUENCE BY valid_from
COLUMNS (sku, price)
STORED AS SCD TYPE 2;
