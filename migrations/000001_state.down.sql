DROP TABLE copy_part;
DROP TABLE copy_point;
DROP TABLE flow;
DROP TABLE target;
DROP SEQUENCE batch;
DROP SEQUENCE fence;
DROP TABLE source;
DROP TABLE migration;
