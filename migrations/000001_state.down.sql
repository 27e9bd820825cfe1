DROP TABLE flow;
DROP TABLE target;
DROP SEQUENCE fence;
DROP TABLE source;
DROP TABLE migration;
