-- SQL features that applications use on MariaDB 10.11, each with a small example that shows it.
-- A heading with one # begins a group, one with two # a feature. Each feature begins in an empty database.

-- # tables

-- ## CREATE TABLE with AUTO_INCREMENT
CREATE TABLE t (id INT NOT NULL AUTO_INCREMENT, name VARCHAR(50), PRIMARY KEY (id));
INSERT INTO t (name) VALUES ('Ada'), ('Ben');
INSERT INTO t (id, name) VALUES (10, 'Cy');
INSERT INTO t (name) VALUES ('Di');
SELECT id, name FROM t ORDER BY id;

-- ## AUTO_INCREMENT from NULL, 0 and DEFAULT
CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v CHAR(1));
INSERT INTO t VALUES (NULL, 'a');
INSERT INTO t VALUES (0, 'b');
INSERT INTO t VALUES (DEFAULT, 'c');
SELECT id, v FROM t ORDER BY id;

-- ## AUTO_INCREMENT with a start value
CREATE TABLE t (id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, v INT) ENGINE=InnoDB AUTO_INCREMENT=1000 DEFAULT CHARSET=utf8mb4;
INSERT INTO t (v) VALUES (1);
ALTER TABLE t AUTO_INCREMENT = 5000;
INSERT INTO t (v) VALUES (2);
SELECT id, v FROM t ORDER BY id;

-- ## composite primary key
CREATE TABLE t (shop INT, item INT, amount INT NOT NULL, PRIMARY KEY (shop, item));
INSERT INTO t VALUES (1, 1, 5), (1, 2, 7), (2, 1, 9);
SELECT amount FROM t WHERE shop = 1 AND item = 2;

-- ## column defaults
CREATE TABLE t (id INT, state VARCHAR(10) DEFAULT 'new', tries INT NOT NULL DEFAULT 0, twice INT DEFAULT (2 * 5));
INSERT INTO t (id) VALUES (1);
INSERT INTO t VALUES (2, DEFAULT, 4, DEFAULT);
SELECT * FROM t ORDER BY id;

-- ## DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP
CREATE TABLE t (id INT, n INT, made TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP, changed TIMESTAMP NULL ON UPDATE CURRENT_TIMESTAMP);
INSERT INTO t (id, n) VALUES (1, 1);
SELECT COUNT(*) FROM t WHERE made <= NOW() AND changed IS NULL;
UPDATE t SET n = 2;
SELECT COUNT(*) FROM t WHERE changed IS NOT NULL AND changed >= made;

-- ## generated columns
CREATE TABLE t (price DECIMAL(8,2), amount INT, total DECIMAL(10,2) GENERATED ALWAYS AS (price * amount) STORED, big BOOLEAN AS (amount > 5) VIRTUAL);
INSERT INTO t (price, amount) VALUES (2.50, 4);
UPDATE t SET amount = 6;
SELECT price, amount, total, big FROM t;

-- ## CREATE TABLE IF NOT EXISTS
CREATE TABLE t (id INT);
INSERT INTO t VALUES (1);
CREATE TABLE IF NOT EXISTS t (id INT, more TEXT);
SELECT * FROM t;

-- ## CREATE OR REPLACE TABLE
CREATE TABLE t (id INT);
INSERT INTO t VALUES (1);
CREATE OR REPLACE TABLE t (id INT, name VARCHAR(10));
SELECT COUNT(*), MAX(name) FROM t;

-- ## CREATE TABLE SELECT
CREATE TABLE t (id INT, score INT);
INSERT INTO t VALUES (1, 10), (2, 20), (3, 30);
CREATE TABLE best AS SELECT id, score * 2 AS doubled FROM t WHERE score >= 20;
SELECT * FROM best ORDER BY id;

-- ## CREATE TABLE LIKE
CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, state VARCHAR(9) NOT NULL DEFAULT 'open');
CREATE TABLE archive LIKE t;
INSERT INTO archive (id) VALUES (5);
SELECT * FROM archive;

-- ## temporary tables
CREATE TEMPORARY TABLE work (id INT, note TEXT);
INSERT INTO work VALUES (1, 'here');
SELECT * FROM work;
DROP TEMPORARY TABLE work;

-- ## DROP TABLE IF EXISTS
CREATE TABLE t (id INT);
DROP TABLE IF EXISTS t, u;
SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE();

-- ## TRUNCATE resets AUTO_INCREMENT
CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v INT);
INSERT INTO t (v) VALUES (1), (2);
TRUNCATE TABLE t;
INSERT INTO t (v) VALUES (3);
SELECT * FROM t;

-- ## comments on tables and columns
CREATE TABLE t (id INT COMMENT 'number of the thing') COMMENT='things';
SELECT table_comment FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = 't';
SELECT column_comment FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 't';

-- ## RENAME TABLE
CREATE TABLE a (id INT);
CREATE TABLE b (id INT);
INSERT INTO a VALUES (1);
RENAME TABLE a TO c, b TO a;
SELECT id FROM c;
SELECT COUNT(*) FROM a;

-- ## partitions by range
CREATE TABLE event (at DATE NOT NULL, what VARCHAR(10)) PARTITION BY RANGE (YEAR(at)) (PARTITION p0 VALUES LESS THAN (2024), PARTITION p1 VALUES LESS THAN MAXVALUE);
INSERT INTO event VALUES ('2023-05-05', 'old'), ('2024-06-06', 'new');
SELECT what FROM event PARTITION (p1);
ALTER TABLE event DROP PARTITION p0;
SELECT at, what FROM event;

-- ## system-versioned tables
CREATE TABLE t (id INT PRIMARY KEY, n INT) WITH SYSTEM VERSIONING;
INSERT INTO t VALUES (1, 10);
UPDATE t SET n = 20;
SELECT n FROM t;
SELECT n FROM t FOR SYSTEM_TIME ALL ORDER BY n;

-- # altering tables

-- ## ADD COLUMN
CREATE TABLE t (a INT, c INT);
INSERT INTO t VALUES (1, 3);
ALTER TABLE t ADD COLUMN b INT NOT NULL DEFAULT 2 AFTER a, ADD COLUMN z INT FIRST;
SELECT * FROM t;

-- ## ADD COLUMN IF NOT EXISTS
CREATE TABLE t (id INT);
ALTER TABLE t ADD COLUMN IF NOT EXISTS id TEXT;
ALTER TABLE t ADD COLUMN IF NOT EXISTS name VARCHAR(10) DEFAULT 'x';
INSERT INTO t (id) VALUES (1);
SELECT * FROM t;

-- ## DROP COLUMN
CREATE TABLE t (a INT, b INT, c INT);
INSERT INTO t VALUES (1, 2, 3);
ALTER TABLE t DROP COLUMN b;
SELECT * FROM t;

-- ## MODIFY COLUMN
CREATE TABLE t (id INT, v VARCHAR(3));
INSERT INTO t VALUES (1, 'abc');
ALTER TABLE t MODIFY COLUMN v VARCHAR(10) NOT NULL DEFAULT 'none', MODIFY id BIGINT;
INSERT INTO t (id) VALUES (5000000000);
SELECT id, v FROM t ORDER BY id;

-- ## CHANGE COLUMN
CREATE TABLE t (id INT, name VARCHAR(10));
INSERT INTO t VALUES (1, 'a');
ALTER TABLE t CHANGE name title VARCHAR(40);
SELECT title FROM t;

-- ## RENAME COLUMN
CREATE TABLE t (id INT, name VARCHAR(10));
INSERT INTO t VALUES (1, 'a');
ALTER TABLE t RENAME COLUMN name TO label;
SELECT label FROM t;

-- ## ALTER COLUMN SET DEFAULT
CREATE TABLE t (id INT, state VARCHAR(10));
ALTER TABLE t ALTER COLUMN state SET DEFAULT 'new';
INSERT INTO t (id) VALUES (1);
ALTER TABLE t ALTER COLUMN state SET DEFAULT NULL;
INSERT INTO t (id) VALUES (2);
SELECT * FROM t ORDER BY id;

-- ## ALTER TABLE RENAME
CREATE TABLE t (id INT);
INSERT INTO t VALUES (3);
ALTER TABLE t RENAME TO thing;
SELECT id FROM thing;

-- ## ADD PRIMARY KEY and DROP PRIMARY KEY
CREATE TABLE t (id INT, v INT);
INSERT INTO t VALUES (1, 1), (2, 2);
ALTER TABLE t ADD PRIMARY KEY (id);
ALTER TABLE t DROP PRIMARY KEY;
INSERT INTO t VALUES (1, 3);
SELECT COUNT(*) FROM t WHERE id = 1;

-- ## ADD UNIQUE KEY with its error
CREATE TABLE t (id INT, code VARCHAR(10));
ALTER TABLE t ADD CONSTRAINT code_unique UNIQUE KEY (code);
INSERT INTO t VALUES (1, 'x');
INSERT INTO t VALUES (2, 'x');
ALTER TABLE t DROP INDEX code_unique;
INSERT INTO t VALUES (3, 'x');
SELECT id FROM t ORDER BY id;

-- ## ADD CONSTRAINT CHECK with its error
CREATE TABLE t (id INT, age INT);
ALTER TABLE t ADD CONSTRAINT sane_age CHECK (age >= 0);
INSERT INTO t VALUES (1, 5);
INSERT INTO t VALUES (2, -1);
ALTER TABLE t DROP CONSTRAINT sane_age;
INSERT INTO t VALUES (3, -1);
SELECT id FROM t ORDER BY id;

-- ## ALTER TABLE CONVERT TO CHARACTER SET
CREATE TABLE t (v VARCHAR(10)) CHARACTER SET latin1;
INSERT INTO t VALUES ('é');
ALTER TABLE t CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;
SELECT v, LENGTH(v), CHAR_LENGTH(v) FROM t;

-- ## several actions in one ALTER TABLE
CREATE TABLE t (a INT, b INT);
INSERT INTO t VALUES (1, 2);
ALTER TABLE t ADD COLUMN c INT DEFAULT 5, DROP COLUMN b, ADD INDEX by_c (c);
SELECT * FROM t;

-- # indexes

-- ## KEY in CREATE TABLE
CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(50), age INT, KEY by_name (name), INDEX by_age (age DESC));
INSERT INTO t VALUES (1, 'a', 30), (2, 'b', 20);
SELECT id FROM t WHERE name = 'b';

-- ## CREATE INDEX and DROP INDEX
CREATE TABLE t (id INT, name VARCHAR(50));
INSERT INTO t VALUES (1, 'a'), (2, 'b');
CREATE INDEX by_name ON t (name);
SELECT id FROM t WHERE name = 'a';
DROP INDEX by_name ON t;
SELECT COUNT(*) FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = 't';

-- ## CREATE UNIQUE INDEX with its error
CREATE TABLE t (id INT, email VARCHAR(50));
CREATE UNIQUE INDEX by_email ON t (email);
INSERT INTO t VALUES (1, 'a@example.org');
INSERT INTO t VALUES (2, 'a@example.org');
INSERT INTO t VALUES (3, NULL), (4, NULL);
SELECT COUNT(*) FROM t;

-- ## unique key is blind to case with its error
CREATE TABLE t (name VARCHAR(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci UNIQUE);
INSERT INTO t VALUES ('Ada');
INSERT INTO t VALUES ('ADA');
SELECT COUNT(*) FROM t WHERE name = 'ada';

-- ## index on a prefix of a column
CREATE TABLE t (id INT, body TEXT, KEY by_body (body(20)));
INSERT INTO t VALUES (1, 'apple pie'), (2, 'banana');
SELECT id FROM t WHERE body LIKE 'apple%';

-- ## index hints
CREATE TABLE t (id INT, n INT, KEY by_n (n));
INSERT INTO t VALUES (1, 5), (2, 6);
SELECT id FROM t FORCE INDEX (by_n) WHERE n = 6;
SELECT id FROM t USE INDEX () WHERE n = 5;

-- ## full-text index
CREATE TABLE t (id INT, body TEXT, FULLTEXT KEY words (body)) ENGINE=InnoDB;
INSERT INTO t VALUES (1, 'quick brown foxes'), (2, 'lazy sleeping dogs');
SELECT id FROM t WHERE MATCH (body) AGAINST ('brown');
SELECT id FROM t WHERE MATCH (body) AGAINST ('+dog* -brown' IN BOOLEAN MODE);

-- # constraints and foreign keys

-- ## UNIQUE over several columns with its error
CREATE TABLE t (person INT, club INT, UNIQUE KEY (person, club));
INSERT INTO t VALUES (1, 1), (1, 2), (2, 1);
INSERT INTO t VALUES (1, 2);
SELECT COUNT(*) FROM t;

-- ## CHECK with its error
CREATE TABLE t (id INT, price DECIMAL(6,2) CHECK (price > 0), CONSTRAINT cheap CHECK (price < 1000));
INSERT INTO t VALUES (1, 5), (2, NULL);
INSERT INTO t VALUES (3, 0);
UPDATE t SET price = 2000 WHERE id = 1;
SELECT * FROM t ORDER BY id;

-- ## error: foreign key without the parent row
CREATE TABLE p (id INT PRIMARY KEY);
CREATE TABLE c (id INT PRIMARY KEY, p_id INT, FOREIGN KEY (p_id) REFERENCES p (id));
INSERT INTO p VALUES (1);
INSERT INTO c VALUES (1, 1), (2, NULL);
INSERT INTO c VALUES (3, 99);
SELECT * FROM c ORDER BY id;

-- ## error: DELETE of a referenced row
CREATE TABLE p (id INT PRIMARY KEY);
CREATE TABLE c (id INT PRIMARY KEY, p_id INT NOT NULL, CONSTRAINT c_p FOREIGN KEY (p_id) REFERENCES p (id));
INSERT INTO p VALUES (1), (2);
INSERT INTO c VALUES (1, 1);
DELETE FROM p WHERE id = 1;
DELETE FROM p WHERE id = 2;
SELECT id FROM p;

-- ## ON DELETE CASCADE
CREATE TABLE p (id INT PRIMARY KEY);
CREATE TABLE c (id INT PRIMARY KEY, p_id INT, FOREIGN KEY (p_id) REFERENCES p (id) ON DELETE CASCADE);
INSERT INTO p VALUES (1), (2);
INSERT INTO c VALUES (1, 1), (2, 1), (3, 2);
DELETE FROM p WHERE id = 1;
SELECT * FROM c;

-- ## ON DELETE SET NULL
CREATE TABLE p (id INT PRIMARY KEY);
CREATE TABLE c (id INT PRIMARY KEY, p_id INT, FOREIGN KEY (p_id) REFERENCES p (id) ON DELETE SET NULL);
INSERT INTO p VALUES (1), (2);
INSERT INTO c VALUES (1, 1), (2, 2);
DELETE FROM p WHERE id = 1;
SELECT * FROM c ORDER BY id;

-- ## ON DELETE RESTRICT error
CREATE TABLE p (id INT PRIMARY KEY);
CREATE TABLE c (id INT PRIMARY KEY, p_id INT, FOREIGN KEY (p_id) REFERENCES p (id) ON DELETE RESTRICT);
INSERT INTO p VALUES (1);
INSERT INTO c VALUES (1, 1);
DELETE FROM p;
SELECT COUNT(*) FROM p;

-- ## ON UPDATE CASCADE
CREATE TABLE p (code VARCHAR(10) PRIMARY KEY);
CREATE TABLE c (id INT, code VARCHAR(10), FOREIGN KEY (code) REFERENCES p (code) ON UPDATE CASCADE);
INSERT INTO p VALUES ('old');
INSERT INTO c VALUES (1, 'old');
UPDATE p SET code = 'new' WHERE code = 'old';
SELECT * FROM c;

-- ## composite foreign key with its error
CREATE TABLE p (a INT, b INT, PRIMARY KEY (a, b));
CREATE TABLE c (id INT, a INT, b INT, FOREIGN KEY (a, b) REFERENCES p (a, b));
INSERT INTO p VALUES (1, 1), (1, 2);
INSERT INTO c VALUES (1, 1, 2), (2, 5, NULL);
INSERT INTO c VALUES (3, 2, 1);
SELECT * FROM c ORDER BY id;

-- ## foreign key to the table itself
CREATE TABLE t (id INT PRIMARY KEY, parent INT, FOREIGN KEY (parent) REFERENCES t (id) ON DELETE CASCADE);
INSERT INTO t VALUES (1, NULL), (2, 1), (3, 2), (4, NULL);
DELETE FROM t WHERE id = 1;
SELECT id FROM t;

-- ## ALTER TABLE ADD and DROP FOREIGN KEY
CREATE TABLE p (id INT PRIMARY KEY);
CREATE TABLE c (id INT, p_id INT);
INSERT INTO p VALUES (1);
INSERT INTO c VALUES (1, 1);
ALTER TABLE c ADD CONSTRAINT c_p FOREIGN KEY (p_id) REFERENCES p (id) ON DELETE CASCADE;
ALTER TABLE c DROP FOREIGN KEY c_p;
DELETE FROM p;
SELECT COUNT(*) FROM c;

-- ## SET FOREIGN_KEY_CHECKS
CREATE TABLE p (id INT PRIMARY KEY);
CREATE TABLE c (id INT, p_id INT, FOREIGN KEY (p_id) REFERENCES p (id));
SET FOREIGN_KEY_CHECKS = 0;
INSERT INTO c VALUES (1, 5);
SET FOREIGN_KEY_CHECKS = 1;
SELECT * FROM c;

-- # views, triggers and routines

-- ## CREATE VIEW
CREATE TABLE t (id INT, active BOOLEAN);
INSERT INTO t VALUES (1, TRUE), (2, FALSE), (3, TRUE);
CREATE VIEW v AS SELECT id FROM t WHERE active;
SELECT * FROM v ORDER BY id;

-- ## CREATE OR REPLACE VIEW
CREATE TABLE t (id INT, n INT);
INSERT INTO t VALUES (1, 10);
CREATE VIEW v AS SELECT id FROM t;
CREATE OR REPLACE VIEW v (number, more) AS SELECT id, n + 1 FROM t;
SELECT number, more FROM v;
DROP VIEW IF EXISTS v;

-- ## writing through a view
CREATE TABLE t (id INT, name VARCHAR(10), hidden BOOLEAN DEFAULT FALSE);
CREATE VIEW v AS SELECT id, name FROM t WHERE NOT hidden;
INSERT INTO v VALUES (1, 'a'), (2, 'b');
UPDATE v SET name = 'c' WHERE id = 2;
DELETE FROM v WHERE id = 1;
SELECT * FROM t;

-- ## WITH CHECK OPTION error
CREATE TABLE t (id INT, age INT);
CREATE VIEW adult AS SELECT id, age FROM t WHERE age >= 18 WITH CHECK OPTION;
INSERT INTO adult VALUES (1, 20);
INSERT INTO adult VALUES (2, 10);
SELECT * FROM t;

-- ## BEFORE trigger that sets a column
CREATE TABLE t (id INT, name VARCHAR(20), slug VARCHAR(20));
CREATE TRIGGER make_slug BEFORE INSERT ON t FOR EACH ROW SET NEW.slug = LOWER(REPLACE(NEW.name, ' ', '-'));
INSERT INTO t (id, name) VALUES (1, 'Hello World');
SELECT slug FROM t;

-- ## AFTER trigger that keeps a log
CREATE TABLE t (id INT, n INT);
CREATE TABLE log (id INT, before_n INT, after_n INT);
CREATE TRIGGER keep_log AFTER UPDATE ON t FOR EACH ROW INSERT INTO log VALUES (NEW.id, OLD.n, NEW.n);
INSERT INTO t VALUES (1, 10), (2, 20);
UPDATE t SET n = n + 1;
SELECT * FROM log ORDER BY id;

-- ## AFTER DELETE trigger that counts
CREATE TABLE t (id INT);
CREATE TABLE total (n INT);
INSERT INTO total VALUES (0);
CREATE TRIGGER count_gone AFTER DELETE ON t FOR EACH ROW UPDATE total SET n = n + 1;
INSERT INTO t VALUES (1), (2), (3);
DELETE FROM t WHERE id > 1;
SELECT n FROM total;
DROP TRIGGER count_gone;

-- ## stored function
CREATE FUNCTION twice(n INT) RETURNS INT DETERMINISTIC RETURN n * 2;
CREATE TABLE t (n INT);
INSERT INTO t VALUES (3), (4);
SELECT twice(n) FROM t ORDER BY n;

-- ## stored function that reads a table
CREATE TABLE t (id INT, name VARCHAR(10));
INSERT INTO t VALUES (1, 'a');
CREATE FUNCTION name_of(wanted INT) RETURNS VARCHAR(10) READS SQL DATA RETURN (SELECT name FROM t WHERE id = wanted);
SELECT name_of(1), name_of(2);

-- ## stored procedure
CREATE TABLE t (id INT, note VARCHAR(20));
CREATE PROCEDURE note_down(p_id INT, p_note VARCHAR(20)) INSERT INTO t VALUES (p_id, p_note);
CALL note_down(1, 'called');
SELECT * FROM t;
DROP PROCEDURE note_down;

-- ## stored procedure that returns rows
CREATE TABLE t (id INT);
INSERT INTO t VALUES (1), (2), (3);
CREATE PROCEDURE above(least_id INT) SELECT id FROM t WHERE id > least_id ORDER BY id;
CALL above(1);

-- ## stored procedure with an OUT parameter
CREATE TABLE t (id INT);
INSERT INTO t VALUES (1), (2);
CREATE PROCEDURE tally(OUT n INT) SELECT COUNT(*) INTO n FROM t;
CALL tally(@n);
SELECT @n;

-- ## SIGNAL error in a trigger
CREATE TABLE t (id INT);
CREATE TRIGGER refuse BEFORE DELETE ON t FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'rows stay';
INSERT INTO t VALUES (1);
DELETE FROM t;
SELECT COUNT(*) FROM t;

-- # sequences

-- ## CREATE SEQUENCE and NEXT VALUE FOR
CREATE SEQUENCE s START WITH 100 INCREMENT BY 10;
SELECT NEXT VALUE FOR s;
SELECT NEXTVAL(s);
SELECT LASTVAL(s), PREVIOUS VALUE FOR s;

-- ## sequence as a default
CREATE SEQUENCE s;
CREATE TABLE t (id BIGINT DEFAULT (NEXT VALUE FOR s), name VARCHAR(10));
INSERT INTO t (name) VALUES ('a'), ('b');
SELECT id, name FROM t ORDER BY id;

-- ## SETVAL and ALTER SEQUENCE RESTART
CREATE SEQUENCE s;
SELECT SETVAL(s, 50);
SELECT NEXTVAL(s);
ALTER SEQUENCE s RESTART 7;
SELECT NEXTVAL(s);

-- # names

-- ## backquoted identifiers
CREATE TABLE `order` (`Id` INT, `select` VARCHAR(5), `two words` INT);
INSERT INTO `order` (`Id`, `select`, `two words`) VALUES (1, 'a', 2);
SELECT `order`.`id`, `order`.`select`, `two words` AS `The Answer` FROM `order`;

-- ## column names are blind to case
CREATE TABLE t (Name VARCHAR(10));
INSERT INTO t (NAME) VALUES ('x');
SELECT name FROM t WHERE nAmE = 'x';

-- ## strings in double quotes
CREATE TABLE t (v VARCHAR(20));
INSERT INTO t VALUES ("it's"), ('say "hi"'), ('it''s'), ('it\'s');
SELECT v, COUNT(*) FROM t GROUP BY v ORDER BY v;

-- ## escapes in strings
CREATE TABLE t (id INT, v VARCHAR(20));
INSERT INTO t VALUES (1, 'tab\there'), (2, 'back\\slash'), (3, 'new\nline'), (4, 'a' 'b');
SELECT id, v, LENGTH(v) FROM t ORDER BY id;

-- ## comments and odd spacing
CREATE TABLE t(id INT,name CHAR(1));
INSERT INTO t # the usual two
VALUES(1,'a'),(2,'b');
/* before */ SELECT	id -- the number
  , /*! name */ FROM t /* after */ WHERE(id=1)AND name='a';

-- ## CREATE DATABASE and qualified names
CREATE DATABASE feature_other CHARACTER SET utf8mb4;
CREATE TABLE feature_other.t (id INT);
CREATE TABLE t (id INT);
INSERT INTO feature_other.t VALUES (1);
INSERT INTO t VALUES (2);
SELECT a.id, b.id FROM feature_other.t AS a, t AS b;
DROP DATABASE feature_other;

-- # data types: numbers

-- ## integer types
CREATE TABLE t (a TINYINT, b SMALLINT, c MEDIUMINT, d INT, e BIGINT);
INSERT INTO t VALUES (-128, -32768, -8388608, -2147483648, -9223372036854775808), (127, 32767, 8388607, 2147483647, 9223372036854775807);
SELECT * FROM t ORDER BY a;

-- ## unsigned integers
CREATE TABLE t (a TINYINT UNSIGNED, b INT UNSIGNED, c BIGINT UNSIGNED);
INSERT INTO t VALUES (255, 4294967295, 18446744073709551615);
SELECT a, b, c FROM t;

-- ## error: integer out of range
CREATE TABLE t (a TINYINT, b INT UNSIGNED);
INSERT INTO t VALUES (128, 0);
INSERT INTO t VALUES (0, -1);
SELECT COUNT(*) FROM t;

-- ## error: unsigned subtraction below zero
CREATE TABLE t (a INT UNSIGNED, b INT UNSIGNED);
INSERT INTO t VALUES (1, 2);
SELECT a - b FROM t;
SELECT CAST(a AS SIGNED) - CAST(b AS SIGNED) FROM t;

-- ## DECIMAL
CREATE TABLE t (a DECIMAL(10,2), b DECIMAL(5));
INSERT INTO t VALUES (1.005, 1.5), (-2.675, 2.4);
SELECT a, b, a * 3, a / 3, a + b FROM t ORDER BY a;

-- ## FLOAT and DOUBLE
CREATE TABLE t (a FLOAT, b DOUBLE);
INSERT INTO t VALUES (0.1, 0.1), (16777217, 1e20);
SELECT a, b, b + 0.2e0 FROM t ORDER BY b;

-- ## division, DIV and MOD
CREATE TABLE t (a INT, b INT);
INSERT INTO t VALUES (7, 2), (-7, 2);
SELECT a / b, a DIV b, a % b, a MOD b, MOD(a, 3) FROM t ORDER BY a;

-- ## division by zero gives NULL
CREATE TABLE t (a INT);
INSERT INTO t VALUES (0);
SELECT 1 / a, 1 DIV a, 1 % a FROM t;

-- ## error: division by zero in an INSERT
CREATE TABLE t (a INT);
INSERT INTO t VALUES (1 / 0);
SELECT COUNT(*) FROM t;

-- ## BOOLEAN is TINYINT
CREATE TABLE t (id INT, b BOOLEAN);
INSERT INTO t VALUES (1, TRUE), (2, FALSE), (3, NULL), (4, 5);
SELECT id, b, NOT b, b IS TRUE, b = TRUE FROM t ORDER BY id;

-- ## BIT and bitwise operators
CREATE TABLE t (b BIT(4), n INT);
INSERT INTO t VALUES (b'1010', 5), (6, 6);
SELECT b + 0, BIN(b), n & 4, n | 8, n ^ 3, n << 2, n >> 1, BIT_COUNT(n) FROM t ORDER BY n;

-- # data types: text

-- ## error: VARCHAR too long
CREATE TABLE t (v VARCHAR(5));
INSERT INTO t VALUES ('12345');
INSERT INTO t VALUES ('123456');
SELECT v FROM t;

-- ## CHAR loses trailing spaces
CREATE TABLE t (c CHAR(5), v VARCHAR(5));
INSERT INTO t VALUES ('ab ', 'ab ');
SELECT CONCAT(c, '|'), CONCAT(v, '|'), LENGTH(c), LENGTH(v), c = v FROM t;

-- ## text compares blind to case
CREATE TABLE t (v VARCHAR(10)) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci;
INSERT INTO t VALUES ('apple'), ('Apple'), ('BANANA');
SELECT COUNT(*) FROM t WHERE v = 'APPLE';
SELECT COUNT(DISTINCT v) FROM t;
SELECT v FROM t WHERE v LIKE 'b%';

-- ## COLLATE utf8mb4_bin and BINARY
CREATE TABLE t (v VARCHAR(10) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin);
INSERT INTO t VALUES ('b'), ('B'), ('a');
SELECT v FROM t ORDER BY v;
SELECT v FROM t WHERE v = 'B' COLLATE utf8mb4_general_ci ORDER BY v;
SELECT BINARY 'a' = 'A', 'a' = 'a ' AS padded;

-- ## Unicode text
CREATE TABLE t (id INT, v VARCHAR(20)) CHARACTER SET utf8mb4;
INSERT INTO t VALUES (1, '日本語'), (2, 'naïve 🙂');
SELECT id, v, CHAR_LENGTH(v), LENGTH(v) FROM t ORDER BY id;

-- ## TEXT and BLOB
CREATE TABLE t (id INT, a TEXT, b LONGTEXT, c BLOB);
INSERT INTO t VALUES (1, REPEAT('x', 1000), 'long', x'DEADBEEF');
SELECT LENGTH(a), b, HEX(c), LENGTH(c) FROM t;

-- ## BINARY and VARBINARY
CREATE TABLE t (a BINARY(4), b VARBINARY(10));
INSERT INTO t VALUES ('ab', 0x616200), (UNHEX('01020304'), '');
SELECT HEX(a), HEX(b) FROM t ORDER BY a;

-- ## ENUM with its error
CREATE TABLE t (id INT, size ENUM('small', 'medium', 'large') NOT NULL DEFAULT 'medium');
INSERT INTO t VALUES (1, 'large'), (2, 'small');
INSERT INTO t (id) VALUES (3);
INSERT INTO t VALUES (4, 'huge');
SELECT id, size, size + 0 FROM t ORDER BY size;

-- ## SET
CREATE TABLE t (id INT, flags SET('read', 'write', 'run'));
INSERT INTO t VALUES (1, 'run,read'), (2, ''), (3, 'write');
SELECT id, flags, flags + 0 FROM t ORDER BY id;
SELECT id FROM t WHERE FIND_IN_SET('read', flags);

-- ## UUID
CREATE TABLE t (id UUID PRIMARY KEY, n INT);
INSERT INTO t VALUES ('12345678-1234-1234-1234-123456789ABC', 1), (UUID(), 2);
SELECT id FROM t WHERE n = 1;
SELECT COUNT(*), LENGTH(UUID()) FROM t;

-- ## INET6
CREATE TABLE t (id INT, a INET6);
INSERT INTO t VALUES (1, '2001:db8::ff'), (2, '::1');
SELECT id, a FROM t ORDER BY id;
SELECT INET_ATON('10.0.0.1'), INET_NTOA(167772161);

-- # data types: date and time

-- ## DATE
CREATE TABLE t (d DATE);
INSERT INTO t VALUES ('2024-02-29'), ('1999-12-31'), (20000101);
SELECT d FROM t WHERE d BETWEEN '2000-01-01' AND '2024-12-31' ORDER BY d;

-- ## error: date that does not exist
CREATE TABLE t (d DATE);
INSERT INTO t VALUES ('2023-02-29');
SELECT COUNT(*) FROM t;

-- ## DATETIME and DATETIME(6)
CREATE TABLE t (a DATETIME, b DATETIME(6), c DATETIME(3));
INSERT INTO t VALUES ('2024-03-10 12:34:56.789', '2024-03-10 12:34:56.789', '2024-03-10T01:02:03.4567');
SELECT a, b, c FROM t;

-- ## TIMESTAMP in another time zone
CREATE TABLE t (a TIMESTAMP, b DATETIME);
INSERT INTO t VALUES ('2024-07-01 12:00:00', '2024-07-01 12:00:00');
SET time_zone = '+02:00';
SELECT a, b FROM t;
SET time_zone = '+00:00';

-- ## TIME and YEAR
CREATE TABLE t (a TIME, b TIME(3), y YEAR);
INSERT INTO t VALUES ('09:30', '-25:00:01.5', 2024);
SELECT a, b, y, y + 1 FROM t;

-- # date and time functions

-- ## NOW and CURRENT_TIMESTAMP
CREATE TABLE t (id INT, at DATETIME DEFAULT NOW());
INSERT INTO t (id) VALUES (1);
SELECT COUNT(*) FROM t WHERE at <= NOW() AND at > NOW() - INTERVAL 1 HOUR AND at <= CURRENT_TIMESTAMP();

-- ## CURDATE and UTC_TIMESTAMP
CREATE TABLE t (d DATE, at DATETIME(6));
INSERT INTO t VALUES (CURDATE(), UTC_TIMESTAMP(6));
SELECT COUNT(*) FROM t WHERE d <= CURRENT_DATE AND at <= UTC_TIMESTAMP(6);

-- ## DATE_ADD and DATE_SUB
CREATE TABLE t (at DATETIME);
INSERT INTO t VALUES ('2024-01-31 10:00:00');
SELECT DATE_ADD(at, INTERVAL 1 MONTH), DATE_SUB(at, INTERVAL 36 HOUR), at + INTERVAL 3 DAY, at - INTERVAL 1 YEAR FROM t;
SELECT DATE_ADD(at, INTERVAL '1:30' HOUR_MINUTE), ADDDATE(DATE(at), 5), DATE_ADD(at, INTERVAL 500000 MICROSECOND) FROM t;

-- ## DATEDIFF, TIMEDIFF and TIMESTAMPDIFF
CREATE TABLE t (a DATETIME, b DATETIME);
INSERT INTO t VALUES ('2024-03-01 06:00', '2024-02-27 18:30:15');
SELECT DATEDIFF(a, b), TIMEDIFF(a, b), TIMESTAMPDIFF(HOUR, b, a), TIMESTAMPDIFF(MONTH, '2024-01-31', a) FROM t;

-- ## parts of dates
CREATE TABLE t (at DATETIME);
INSERT INTO t VALUES ('2024-02-29 13:45:30');
SELECT YEAR(at), MONTH(at), DAY(at), HOUR(at), MINUTE(at), SECOND(at), QUARTER(at) FROM t;
SELECT DAYOFWEEK(at), WEEKDAY(at), DAYOFYEAR(at), WEEK(at, 3), YEARWEEK(at, 3), DAYNAME(at), MONTHNAME(at) FROM t;

-- ## EXTRACT
CREATE TABLE t (at DATETIME(6));
INSERT INTO t VALUES ('2024-02-29 13:45:30.25');
SELECT EXTRACT(YEAR FROM at), EXTRACT(YEAR_MONTH FROM at), EXTRACT(MICROSECOND FROM at), EXTRACT(HOUR_MINUTE FROM at) FROM t;

-- ## DATE_FORMAT
CREATE TABLE t (at DATETIME);
INSERT INTO t VALUES ('2024-03-05 16:07:08');
SELECT DATE_FORMAT(at, '%Y-%m-%d %H:%i:%s'), DATE_FORMAT(at, '%d.%m.%y'), DATE_FORMAT(at, '%W, %e %M'), DATE_FORMAT(at, '%h:%i %p') FROM t;

-- ## STR_TO_DATE
CREATE TABLE t (v VARCHAR(20));
INSERT INTO t VALUES ('05/03/2024');
SELECT STR_TO_DATE(v, '%d/%m/%Y'), STR_TO_DATE('2024-03-05 14:30', '%Y-%m-%d %H:%i') FROM t;

-- ## UNIX_TIMESTAMP and FROM_UNIXTIME
CREATE TABLE t (at DATETIME);
INSERT INTO t VALUES ('2023-11-14 22:13:20');
SELECT UNIX_TIMESTAMP(at), FROM_UNIXTIME(1700000000), FROM_UNIXTIME(0, '%Y') FROM t;

-- ## grouping by day or month
CREATE TABLE t (at DATETIME, amount INT);
INSERT INTO t VALUES ('2024-01-05 08:00', 1), ('2024-01-25 09:00', 2), ('2024-02-01 10:00', 4);
SELECT DATE_FORMAT(at, '%Y-%m-01') AS month, SUM(amount) FROM t GROUP BY month ORDER BY month;
SELECT DATE(at), COUNT(*) FROM t GROUP BY DATE(at) ORDER BY 1;

-- ## CONVERT_TZ
CREATE TABLE t (at DATETIME);
INSERT INTO t VALUES ('2024-07-01 12:00:00');
SELECT CONVERT_TZ(at, '+00:00', '+05:30') FROM t;

-- ## LAST_DAY, MAKEDATE and SEC_TO_TIME
CREATE TABLE t (d DATE);
INSERT INTO t VALUES ('2024-02-10');
SELECT LAST_DAY(d), MAKEDATE(2024, 60), SEC_TO_TIME(3661), TIME_TO_SEC('01:01:01'), TO_DAYS(d) FROM t;

-- ## ADDTIME, TIMESTAMPADD and TIME
CREATE TABLE t (at DATETIME);
INSERT INTO t VALUES ('2024-02-10 23:00:00');
SELECT ADDTIME(at, '02:00:00'), TIMESTAMPADD(WEEK, 1, at), TIME(at), TIMESTAMP(DATE(at), '05:00') FROM t;

-- # strings

-- ## CONCAT and CONCAT_WS
CREATE TABLE t (a VARCHAR(5), b VARCHAR(5), n INT);
INSERT INTO t VALUES ('x', 'y', 3), ('x', NULL, 4);
SELECT CONCAT(a, b), CONCAT(a, n), CONCAT_WS('-', a, b, n) FROM t ORDER BY n;

-- ## UPPER, LOWER and LENGTH
CREATE TABLE t (v VARCHAR(20)) CHARACTER SET utf8mb4;
INSERT INTO t VALUES ('Café');
SELECT UPPER(v), LOWER(v), UCASE(v), LENGTH(v), CHAR_LENGTH(v), REVERSE(v) FROM t;

-- ## SUBSTRING, LEFT, RIGHT and MID
CREATE TABLE t (v VARCHAR(20));
INSERT INTO t VALUES ('abcdefgh');
SELECT SUBSTRING(v, 2, 3), SUBSTRING(v FROM 4), SUBSTR(v, -3, 2), LEFT(v, 2), RIGHT(v, 2), MID(v, 3, 1) FROM t;

-- ## SUBSTRING_INDEX
CREATE TABLE t (v VARCHAR(30));
INSERT INTO t VALUES ('www.example.org');
SELECT SUBSTRING_INDEX(v, '.', 1), SUBSTRING_INDEX(v, '.', -1), SUBSTRING_INDEX(v, '.', 2) FROM t;

-- ## TRIM, LPAD and RPAD
CREATE TABLE t (v VARCHAR(20));
INSERT INTO t VALUES ('  xxabxx  ');
SELECT CONCAT('[', TRIM(v), ']'), CONCAT('[', LTRIM(v), ']'), TRIM(BOTH 'x' FROM TRIM(v)), LPAD('7', 3, '0'), RPAD('7', 3, '.') FROM t;

-- ## REPLACE, INSERT and REPEAT
CREATE TABLE t (v VARCHAR(20));
INSERT INTO t VALUES ('banana');
SELECT REPLACE(v, 'an', 'AN'), INSERT(v, 2, 3, '--'), REPEAT(v, 2), CONCAT('a', SPACE(2), 'b') FROM t;

-- ## LOCATE, INSTR and POSITION
CREATE TABLE t (v VARCHAR(30));
INSERT INTO t VALUES ('user@example.org');
SELECT LOCATE('@', v), LOCATE('e', v, 5), INSTR(v, 'example'), POSITION('?' IN v) FROM t;

-- ## LIKE
CREATE TABLE t (v VARCHAR(10));
INSERT INTO t VALUES ('apple'), ('grape'), ('a_b'), ('100%');
SELECT v FROM t WHERE v LIKE '%ap%' ORDER BY v;
SELECT v FROM t WHERE v LIKE '%\%' OR v LIKE 'a|_%' ESCAPE '|' ORDER BY v;
SELECT v FROM t WHERE v LIKE BINARY 'A%' OR v NOT LIKE '%a%' ORDER BY v;

-- ## REGEXP
CREATE TABLE t (v VARCHAR(10));
INSERT INTO t VALUES ('abc123'), ('xyz'), ('42');
SELECT v FROM t WHERE v REGEXP '^[a-c]+' ORDER BY v;
SELECT v FROM t WHERE v NOT RLIKE '[0-9]' ORDER BY v;
SELECT REGEXP_REPLACE(v, '[0-9]', '#'), REGEXP_SUBSTR(v, '[0-9]+'), REGEXP_INSTR(v, '[0-9]') FROM t ORDER BY v;

-- ## HEX, MD5, SHA1 and CRC32
CREATE TABLE t (v VARCHAR(10));
INSERT INTO t VALUES ('hello');
SELECT HEX(v), MD5(v), SHA1(v), SHA2(v, 256), CRC32(v), TO_BASE64(v) FROM t;

-- ## ELT, FIELD and FIND_IN_SET
CREATE TABLE t (v VARCHAR(10));
INSERT INTO t VALUES ('b'), ('c'), ('a');
SELECT v FROM t ORDER BY FIELD(v, 'c', 'a', 'b');
SELECT ELT(2, 'x', 'y'), FIELD('q', 'x'), FIND_IN_SET('b', 'a,b,c');

-- ## FORMAT and numbers as text
CREATE TABLE t (n DECIMAL(12,3));
INSERT INTO t VALUES (1234567.891);
SELECT FORMAT(n, 2), CAST(n AS CHAR), CONV(255, 10, 16), ASCII('A'), CHAR(72, 105 USING utf8mb4) FROM t;

-- # mathematics

-- ## ROUND, CEIL, FLOOR and TRUNCATE
CREATE TABLE t (n DECIMAL(8,3));
INSERT INTO t VALUES (2.5), (-2.5), (3.456);
SELECT ROUND(n), ROUND(n, 1), CEIL(n), CEILING(n), FLOOR(n), TRUNCATE(n, 2) FROM t ORDER BY n;

-- ## ABS, SIGN, POWER and SQRT
CREATE TABLE t (n INT);
INSERT INTO t VALUES (-3), (0), (4);
SELECT ABS(n), SIGN(n), POWER(n, 2), POW(2, n), SQRT(n) FROM t ORDER BY n;

-- ## EXP, LN and LOG
CREATE TABLE t (n INT);
INSERT INTO t VALUES (1), (100);
SELECT ROUND(EXP(1), 8), ROUND(LN(n), 8), LOG10(n), LOG2(8), ROUND(LOG(2, 8), 8), ROUND(PI(), 6) FROM t ORDER BY n;

-- ## GREATEST and LEAST
CREATE TABLE t (a INT, b INT, c INT);
INSERT INTO t VALUES (1, 5, 3), (4, NULL, 2);
SELECT GREATEST(a, b, c), LEAST(a, b, c), GREATEST(a, c) FROM t ORDER BY a;

-- ## RAND
CREATE TABLE t (n DOUBLE);
INSERT INTO t VALUES (RAND()), (RAND()), (RAND());
SELECT COUNT(*) FROM t WHERE n >= 0 AND n < 1;

-- # conditions and NULL

-- ## IF, IFNULL and NULLIF
CREATE TABLE t (id INT, n INT);
INSERT INTO t VALUES (1, 5), (2, NULL), (3, 0);
SELECT id, IF(n > 3, 'big', 'small'), IFNULL(n, -1), NULLIF(n, 0), COALESCE(n, id, 9), ISNULL(n) FROM t ORDER BY id;

-- ## CASE
CREATE TABLE t (n INT);
INSERT INTO t VALUES (-1), (0), (5), (NULL);
SELECT n, CASE WHEN n < 0 THEN 'minus' WHEN n = 0 THEN 'zero' ELSE 'other' END, CASE n WHEN 5 THEN 'five' END FROM t ORDER BY n;

-- ## NULL-safe equality
CREATE TABLE t (id INT, a INT, b INT);
INSERT INTO t VALUES (1, 1, 1), (2, 1, NULL), (3, NULL, NULL);
SELECT id, a = b, a <=> b, NOT (a <=> b), a <> b, a != b FROM t ORDER BY id;

-- ## AND, OR, XOR and && ||
CREATE TABLE t (a BOOLEAN, b BOOLEAN);
INSERT INTO t VALUES (0, 1), (1, 1);
SELECT a AND b, a OR b, a XOR b, a && b, a || b, !a FROM t ORDER BY a;

-- ## ORDER BY puts NULL first
CREATE TABLE t (n INT);
INSERT INTO t VALUES (2), (NULL), (1);
SELECT n FROM t ORDER BY n;
SELECT n FROM t ORDER BY n DESC;
SELECT n FROM t ORDER BY n IS NULL, n;

-- ## casts
CREATE TABLE t (v VARCHAR(10));
INSERT INTO t VALUES ('42');
SELECT CAST(v AS SIGNED) + 1, CAST(v AS UNSIGNED), CAST(v AS DECIMAL(6,2)), CONVERT('2024-01-02', DATE), CAST(1.5 AS CHAR), CAST(2.5 AS INTEGER) FROM t;

-- ## text and numbers mix
CREATE TABLE t (id INT, v VARCHAR(10));
INSERT INTO t VALUES (1, '10'), (2, '9');
SELECT id FROM t WHERE v = 10;
SELECT v + 1, v * '2', '3' + 4 FROM t ORDER BY v;
SELECT v FROM t ORDER BY v + 0;

-- # JSON

-- ## JSON_EXTRACT and JSON_UNQUOTE
CREATE TABLE t (id INT, doc JSON);
INSERT INTO t VALUES (1, '{"name": "Ada", "tags": ["x", "y"], "n": null}');
SELECT JSON_EXTRACT(doc, '$.name'), JSON_UNQUOTE(JSON_EXTRACT(doc, '$.name')), JSON_EXTRACT(doc, '$.tags[1]'), JSON_EXTRACT(doc, '$.none') FROM t;
SELECT id FROM t WHERE JSON_EXTRACT(doc, '$.name') = 'Ada';

-- ## JSON_VALUE and JSON_QUERY
CREATE TABLE t (doc JSON);
INSERT INTO t VALUES ('{"a": {"b": [10, 20]}, "c": "text"}');
SELECT JSON_VALUE(doc, '$.c'), JSON_VALUE(doc, '$.a.b[1]'), JSON_QUERY(doc, '$.a'), JSON_VALUE(doc, '$.a') FROM t;

-- ## JSON_OBJECT and JSON_ARRAY
CREATE TABLE t (id INT, name VARCHAR(10));
INSERT INTO t VALUES (1, 'a"b'), (2, NULL);
SELECT JSON_OBJECT('id', id, 'name', name), JSON_ARRAY(id, name, 'x', 1.5, TRUE) FROM t ORDER BY id;

-- ## JSON_SET, JSON_INSERT, JSON_REPLACE and JSON_REMOVE
CREATE TABLE t (doc JSON);
INSERT INTO t VALUES ('{"a": 1, "b": [1, 2]}');
UPDATE t SET doc = JSON_SET(doc, '$.a', 99, '$.c', 'new');
SELECT doc, JSON_INSERT(doc, '$.a', 0, '$.d', 4), JSON_REPLACE(doc, '$.a', 0, '$.d', 4), JSON_REMOVE(doc, '$.b[0]') FROM t;

-- ## JSON_CONTAINS and JSON_EXISTS
CREATE TABLE t (id INT, doc JSON);
INSERT INTO t VALUES (1, '{"a": 1, "tags": ["x", "y"]}'), (2, '{"a": 2}');
SELECT id FROM t WHERE JSON_CONTAINS(doc, '"x"', '$.tags');
SELECT id, JSON_CONTAINS_PATH(doc, 'one', '$.tags'), JSON_EXISTS(doc, '$.a') FROM t ORDER BY id;

-- ## JSON_LENGTH, JSON_KEYS and JSON_TYPE
CREATE TABLE t (doc JSON);
INSERT INTO t VALUES ('{"a": null, "b": [1, 2, 3]}');
SELECT JSON_LENGTH(doc), JSON_LENGTH(doc, '$.b'), JSON_KEYS(doc), JSON_TYPE(doc), JSON_VALID('{a}'), JSON_DEPTH(doc) FROM t;

-- ## JSON_ARRAYAGG and JSON_OBJECTAGG
CREATE TABLE t (k VARCHAR(5), v INT);
INSERT INTO t VALUES ('a', 1), ('b', 2);
SELECT JSON_ARRAYAGG(v ORDER BY v DESC), JSON_OBJECTAGG(k, v) FROM t;

-- ## JSON_TABLE
CREATE TABLE t (id INT, doc JSON);
INSERT INTO t VALUES (1, '[{"n": 3}, {"n": 1}]');
SELECT t.id, j.place, j.n FROM t, JSON_TABLE(t.doc, '$[*]' COLUMNS (place FOR ORDINALITY, n INT PATH '$.n')) AS j ORDER BY j.n;

-- ## JSON_MERGE_PATCH and JSON_ARRAY_APPEND
CREATE TABLE t (doc JSON);
INSERT INTO t VALUES ('{"a": 1, "l": [1]}');
SELECT JSON_MERGE_PATCH(doc, '{"a": null, "b": 2}'), JSON_ARRAY_APPEND(doc, '$.l', 2), JSON_SEARCH('["x", "y"]', 'one', 'y') FROM t;

-- ## error: malformed JSON
CREATE TABLE t (doc JSON);
INSERT INTO t VALUES ('{"a": }');
SELECT COUNT(*) FROM t;

-- # aggregates

-- ## COUNT, SUM, AVG, MIN and MAX
CREATE TABLE t (n INT, v VARCHAR(5));
INSERT INTO t VALUES (1, 'a'), (2, NULL), (NULL, 'c'), (4, 'd');
SELECT COUNT(*), COUNT(n), SUM(n), AVG(n), MIN(n), MAX(v) FROM t;
SELECT COUNT(*), SUM(n), MAX(n) FROM t WHERE n > 99;

-- ## COUNT DISTINCT
CREATE TABLE t (a INT, b INT);
INSERT INTO t VALUES (1, 1), (1, 2), (2, 2), (NULL, 3);
SELECT COUNT(DISTINCT a), COUNT(DISTINCT a, b), SUM(DISTINCT a) FROM t;

-- ## GROUP BY and HAVING
CREATE TABLE t (team VARCHAR(5), points INT);
INSERT INTO t VALUES ('a', 1), ('a', 2), ('b', 10), ('c', 0);
SELECT team, SUM(points) AS total FROM t GROUP BY team HAVING total > 2 ORDER BY total DESC;

-- ## GROUP_CONCAT
CREATE TABLE t (g INT, v VARCHAR(5));
INSERT INTO t VALUES (1, 'b'), (1, 'a'), (2, 'c'), (1, NULL), (1, 'a');
SELECT g, GROUP_CONCAT(v ORDER BY v SEPARATOR ', ') FROM t GROUP BY g ORDER BY g;
SELECT GROUP_CONCAT(DISTINCT v ORDER BY v DESC) FROM t;

-- ## WITH ROLLUP
CREATE TABLE t (year INT, kind VARCHAR(5), n INT);
INSERT INTO t VALUES (2023, 'a', 1), (2023, 'b', 2), (2024, 'a', 4);
SELECT * FROM (SELECT year, kind, SUM(n) AS total FROM t GROUP BY year, kind WITH ROLLUP) AS sums ORDER BY year IS NULL, year, kind IS NULL, kind;

-- ## conditional sums
CREATE TABLE t (state VARCHAR(5), n INT);
INSERT INTO t VALUES ('in', 5), ('out', 3), ('in', 2);
SELECT SUM(IF(state = 'in', n, 0)), SUM(state = 'in'), COUNT(CASE WHEN n > 2 THEN 1 END) FROM t;

-- ## STD, VARIANCE and BIT_OR
CREATE TABLE t (n INT);
INSERT INTO t VALUES (2), (4), (4), (4), (5), (5), (7), (9);
SELECT STD(n), STDDEV_SAMP(n), VARIANCE(n), VAR_SAMP(n), BIT_AND(n), BIT_OR(n), BIT_XOR(n) FROM t;

-- ## column not in GROUP BY that is determined
CREATE TABLE p (id INT PRIMARY KEY, name VARCHAR(5));
CREATE TABLE c (p_id INT);
INSERT INTO p VALUES (1, 'a'), (2, 'b');
INSERT INTO c VALUES (1), (1);
SELECT p.id, p.name, COUNT(c.p_id) FROM p LEFT JOIN c ON c.p_id = p.id GROUP BY p.id ORDER BY p.id;

-- # window functions

-- ## ROW_NUMBER, RANK and DENSE_RANK
CREATE TABLE t (name VARCHAR(5), points INT);
INSERT INTO t VALUES ('a', 9), ('b', 9), ('c', 7);
SELECT name, ROW_NUMBER() OVER (ORDER BY points DESC, name) AS place, RANK() OVER (ORDER BY points DESC) AS r, DENSE_RANK() OVER (ORDER BY points DESC) AS d FROM t ORDER BY name;

-- ## best row of each group
CREATE TABLE t (team VARCHAR(5), name VARCHAR(5), points INT);
INSERT INTO t VALUES ('a', 'x', 5), ('a', 'y', 9), ('b', 'z', 7);
SELECT team, name FROM (SELECT t.*, ROW_NUMBER() OVER (PARTITION BY team ORDER BY points DESC) AS place FROM t) AS s WHERE place = 1 ORDER BY team;

-- ## LAG and LEAD
CREATE TABLE t (d DATE, n INT);
INSERT INTO t VALUES ('2024-01-01', 10), ('2024-01-02', 15), ('2024-01-03', 12);
SELECT d, n - LAG(n) OVER (ORDER BY d) AS diff, LEAD(n) OVER (ORDER BY d) AS following FROM t ORDER BY d;

-- ## running total
CREATE TABLE t (id INT, n INT);
INSERT INTO t VALUES (1, 10), (2, 20), (3, 5);
SELECT id, SUM(n) OVER (ORDER BY id) AS total, COUNT(*) OVER () AS everything FROM t ORDER BY id;

-- ## moving average with ROWS
CREATE TABLE t (id INT, n INT);
INSERT INTO t VALUES (1, 1), (2, 3), (3, 8), (4, 4);
SELECT id, AVG(n) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS mean FROM t ORDER BY id;

-- ## FIRST_VALUE, LAST_VALUE and NTH_VALUE
CREATE TABLE t (id INT, v VARCHAR(5));
INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c');
SELECT id, FIRST_VALUE(v) OVER w AS f, LAST_VALUE(v) OVER w AS l, NTH_VALUE(v, 2) OVER w AS n
FROM t WINDOW w AS (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) ORDER BY id;

-- ## NTILE and PERCENT_RANK
CREATE TABLE t (id INT);
INSERT INTO t VALUES (1), (2), (3), (4), (5);
SELECT id, NTILE(2) OVER (ORDER BY id) AS half, PERCENT_RANK() OVER (ORDER BY id) AS share, CUME_DIST() OVER (ORDER BY id) AS up_to FROM t ORDER BY id;

-- ## MEDIAN and PERCENTILE_CONT
CREATE TABLE t (g INT, n INT);
INSERT INTO t VALUES (1, 1), (1, 2), (1, 9), (2, 5);
SELECT DISTINCT g, MEDIAN(n) OVER (PARTITION BY g) AS m, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY n) OVER (PARTITION BY g) AS p FROM t ORDER BY g;

-- # queries

-- ## WHERE, BETWEEN and IN
CREATE TABLE t (n INT);
INSERT INTO t VALUES (1), (5), (10), (15);
SELECT n FROM t WHERE n BETWEEN 5 AND 10 OR n IN (1, 2) ORDER BY n;
SELECT n FROM t WHERE NOT (n > 5) AND n NOT IN (1) ORDER BY n;

-- ## LIMIT and OFFSET
CREATE TABLE t (id INT);
INSERT INTO t VALUES (1), (2), (3), (4), (5), (6);
SELECT id FROM t ORDER BY id LIMIT 2 OFFSET 3;
SELECT id FROM t ORDER BY id DESC LIMIT 1, 2;

-- ## OFFSET and FETCH FIRST WITH TIES
CREATE TABLE t (points INT);
INSERT INTO t VALUES (9), (7), (7), (5);
SELECT points FROM t ORDER BY points DESC OFFSET 1 ROW FETCH NEXT 1 ROW ONLY;
SELECT points FROM t ORDER BY points DESC FETCH FIRST 2 ROWS WITH TIES;

-- ## SELECT DISTINCT
CREATE TABLE t (a INT, b INT);
INSERT INTO t VALUES (1, 1), (1, 1), (1, 2), (NULL, 1), (NULL, 1);
SELECT DISTINCT a, b FROM t ORDER BY a, b;

-- ## SQL_CALC_FOUND_ROWS and FOUND_ROWS
CREATE TABLE t (id INT);
INSERT INTO t VALUES (1), (2), (3);
SELECT SQL_CALC_FOUND_ROWS id FROM t ORDER BY id LIMIT 1;
SELECT FOUND_ROWS();

-- ## row comparisons
CREATE TABLE t (a INT, b INT);
INSERT INTO t VALUES (1, 2), (2, 1), (2, 3);
SELECT a, b FROM t WHERE (a, b) IN ((1, 2), (2, 3)) ORDER BY a;
SELECT a, b FROM t WHERE (a, b) = (2, 1);
SELECT a, b FROM t WHERE (a, b) > (1, 2) ORDER BY a, b;

-- ## VALUES and DUAL
SELECT 1 + 1 FROM DUAL;
VALUES (1, 'x'), (2, 'y') ORDER BY 1;
SELECT seq FROM seq_1_to_4 ORDER BY seq;

-- ## INNER JOIN and joins by commas
CREATE TABLE p (id INT, name VARCHAR(5));
CREATE TABLE c (id INT, p_id INT);
INSERT INTO p VALUES (1, 'a'), (2, 'b');
INSERT INTO c VALUES (10, 1), (11, 1), (12, NULL);
SELECT p.name, c.id FROM p INNER JOIN c ON p.id = c.p_id ORDER BY c.id;
SELECT p.name, c.id FROM p, c WHERE p.id = c.p_id ORDER BY c.id;

-- ## LEFT JOIN and RIGHT JOIN
CREATE TABLE p (id INT, name VARCHAR(5));
CREATE TABLE c (id INT, p_id INT);
INSERT INTO p VALUES (1, 'a'), (2, 'b');
INSERT INTO c VALUES (10, 1), (11, 7);
SELECT p.name, c.id FROM p LEFT JOIN c ON p.id = c.p_id ORDER BY p.id;
SELECT p.name, c.id FROM p RIGHT OUTER JOIN c ON p.id = c.p_id ORDER BY c.id;
SELECT p.name FROM p LEFT JOIN c ON p.id = c.p_id WHERE c.id IS NULL;

-- ## JOIN USING, NATURAL JOIN and CROSS JOIN
CREATE TABLE a (id INT, x VARCHAR(5));
CREATE TABLE b (id INT, y VARCHAR(5));
INSERT INTO a VALUES (1, 'a'), (2, 'b');
INSERT INTO b VALUES (1, 'p'), (3, 'q');
SELECT * FROM a LEFT JOIN b USING (id) ORDER BY id;
SELECT * FROM a NATURAL JOIN b;
SELECT x, y FROM a CROSS JOIN b ORDER BY x, y;
SELECT STRAIGHT_JOIN a.x FROM a JOIN b ON a.id = b.id;

-- ## self-join
CREATE TABLE t (id INT, name VARCHAR(5), boss INT);
INSERT INTO t VALUES (1, 'Ann', NULL), (2, 'Bob', 1), (3, 'Cy', 2);
SELECT w.name, b.name AS boss FROM t w LEFT JOIN t b ON b.id = w.boss ORDER BY w.id;

-- ## IN and EXISTS with a subquery
CREATE TABLE p (id INT, name VARCHAR(5));
CREATE TABLE c (p_id INT);
INSERT INTO p VALUES (1, 'a'), (2, 'b'), (3, 'c');
INSERT INTO c VALUES (1), (3), (3);
SELECT name FROM p WHERE id IN (SELECT p_id FROM c) ORDER BY name;
SELECT name FROM p WHERE NOT EXISTS (SELECT 1 FROM c WHERE c.p_id = p.id) ORDER BY name;
SELECT EXISTS (SELECT 1 FROM c WHERE p_id = 2);

-- ## scalar and correlated subqueries
CREATE TABLE p (id INT, name VARCHAR(5));
CREATE TABLE c (p_id INT, n INT);
INSERT INTO p VALUES (1, 'a'), (2, 'b');
INSERT INTO c VALUES (1, 5), (1, 6);
SELECT name, (SELECT COUNT(*) FROM c WHERE c.p_id = p.id) AS n, (SELECT MAX(n) FROM c) AS best FROM p ORDER BY name;
SELECT n FROM c WHERE n >= ALL (SELECT n FROM c);

-- ## subquery in FROM
CREATE TABLE t (g INT, n INT);
INSERT INTO t VALUES (1, 2), (1, 4), (2, 9);
SELECT AVG(total) FROM (SELECT g, SUM(n) AS total FROM t GROUP BY g) AS sums;

-- ## error: scalar subquery with several rows
CREATE TABLE t (id INT);
INSERT INTO t VALUES (1), (2);
SELECT (SELECT id FROM t);
SELECT COUNT(*) FROM t;

-- ## UNION and UNION ALL
CREATE TABLE a (n INT);
CREATE TABLE b (n INT);
INSERT INTO a VALUES (1), (2), (2);
INSERT INTO b VALUES (2), (3);
SELECT n FROM a UNION SELECT n FROM b ORDER BY n;
SELECT n FROM a UNION ALL SELECT n FROM b ORDER BY n;
(SELECT n FROM a ORDER BY n LIMIT 1) UNION ALL (SELECT n FROM b ORDER BY n DESC LIMIT 1) ORDER BY n;

-- ## INTERSECT and EXCEPT
CREATE TABLE a (n INT);
CREATE TABLE b (n INT);
INSERT INTO a VALUES (1), (2), (2);
INSERT INTO b VALUES (2), (3);
SELECT n FROM a INTERSECT SELECT n FROM b ORDER BY n;
SELECT n FROM a EXCEPT SELECT n FROM b ORDER BY n;

-- ## WITH
CREATE TABLE t (g INT, n INT);
INSERT INTO t VALUES (1, 5), (1, 6), (2, 20);
WITH sums AS (SELECT g, SUM(n) AS total FROM t GROUP BY g), top AS (SELECT MAX(total) AS best FROM sums)
SELECT g FROM sums, top WHERE total = best;

-- ## WITH RECURSIVE
CREATE TABLE t (id INT, parent INT, name VARCHAR(50));
INSERT INTO t VALUES (1, NULL, 'root'), (2, 1, 'left'), (3, 1, 'right'), (4, 2, 'leaf');
WITH RECURSIVE tree AS (
    SELECT id, 0 AS depth, CAST(name AS CHAR(200)) AS path FROM t WHERE parent IS NULL
    UNION ALL
    SELECT t.id, tree.depth + 1, CONCAT(tree.path, '/', t.name) FROM t JOIN tree ON t.parent = tree.id
)
SELECT depth, path FROM tree ORDER BY path;
WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT SUM(i) FROM n;

-- # inserting

-- ## INSERT of several rows
CREATE TABLE t (id INT, name VARCHAR(5));
INSERT INTO t (name, id) VALUES ('a', 1), ('b', 2);
INSERT t VALUES (3, 'c');
INSERT INTO t VALUE (4, 'd');
SELECT id, name FROM t ORDER BY id;

-- ## INSERT SET
CREATE TABLE t (id INT, name VARCHAR(5), n INT DEFAULT 7);
INSERT INTO t SET id = 1, name = 'a';
SELECT * FROM t;

-- ## INSERT SELECT
CREATE TABLE t (id INT, n INT);
INSERT INTO t SELECT seq, seq * seq FROM seq_1_to_5;
INSERT INTO t (id) SELECT id + 100 FROM t WHERE n > 10;
SELECT * FROM t WHERE id > 3 ORDER BY id;

-- ## INSERT IGNORE
CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(5));
INSERT INTO t VALUES (1, 'a');
INSERT IGNORE INTO t VALUES (1, 'b'), (2, 'c');
SELECT * FROM t ORDER BY id;

-- ## INSERT IGNORE cuts values
CREATE TABLE t (a TINYINT, v VARCHAR(3) NOT NULL);
INSERT IGNORE INTO t VALUES (500, 'abcdef');
SELECT * FROM t;

-- ## INSERT RETURNING
CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(5), n INT DEFAULT 5);
INSERT INTO t (name) VALUES ('a') RETURNING id, n;
INSERT INTO t (name) VALUES ('b'), ('c') RETURNING id, UPPER(name) AS shout;

-- ## LAST_INSERT_ID
CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, v INT);
INSERT INTO t (v) VALUES (1);
SELECT LAST_INSERT_ID();
INSERT INTO t (v) VALUES (2), (3), (4);
SELECT LAST_INSERT_ID();

-- ## INSERT with LAST_INSERT_ID of the parent
CREATE TABLE p (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(5));
CREATE TABLE c (id INT AUTO_INCREMENT PRIMARY KEY, p_id INT);
INSERT INTO p (id, name) VALUES (41, 'a');
INSERT INTO p (name) VALUES ('b');
INSERT INTO c (p_id) VALUES (LAST_INSERT_ID());
SELECT p_id FROM c;

-- ## counter with LAST_INSERT_ID of an expression
CREATE TABLE counter (n INT);
INSERT INTO counter VALUES (10);
UPDATE counter SET n = LAST_INSERT_ID(n + 1);
SELECT LAST_INSERT_ID();

-- # upserts

-- ## ON DUPLICATE KEY UPDATE
CREATE TABLE t (k VARCHAR(5) PRIMARY KEY, n INT);
INSERT INTO t VALUES ('a', 1);
INSERT INTO t VALUES ('a', 10), ('b', 20) ON DUPLICATE KEY UPDATE n = VALUES(n);
SELECT * FROM t ORDER BY k;

-- ## ON DUPLICATE KEY UPDATE that counts
CREATE TABLE hits (page VARCHAR(20) PRIMARY KEY, n INT NOT NULL DEFAULT 1);
INSERT INTO hits (page) VALUES ('/') ON DUPLICATE KEY UPDATE n = n + 1;
INSERT INTO hits (page) VALUES ('/') ON DUPLICATE KEY UPDATE n = n + 1;
SELECT * FROM hits;

-- ## ON DUPLICATE KEY UPDATE of LAST_INSERT_ID
CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, name VARCHAR(5) UNIQUE, n INT DEFAULT 0);
INSERT INTO t (name) VALUES ('a'), ('b');
INSERT INTO t (name) VALUES ('a') ON DUPLICATE KEY UPDATE id = LAST_INSERT_ID(id), n = n + 1;
SELECT LAST_INSERT_ID();
SELECT name, n FROM t ORDER BY name;

-- ## ON DUPLICATE KEY UPDATE RETURNING
CREATE TABLE t (id INT PRIMARY KEY, n INT);
INSERT INTO t VALUES (1, 5);
INSERT INTO t VALUES (1, 6) ON DUPLICATE KEY UPDATE n = n + VALUE(n) RETURNING id, n;

-- ## REPLACE
CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(5), n INT DEFAULT 3);
INSERT INTO t VALUES (1, 'a', 9);
REPLACE INTO t (id, name) VALUES (1, 'b'), (2, 'c');
SELECT * FROM t ORDER BY id;

-- # updating and deleting

-- ## UPDATE
CREATE TABLE t (id INT, n INT, v VARCHAR(5));
INSERT INTO t VALUES (1, 1, 'a'), (2, 2, 'b'), (3, 3, 'c');
UPDATE t SET n = n * 10, v = CONCAT(v, '!') WHERE id >= 2;
SELECT * FROM t ORDER BY id;

-- ## UPDATE assigns from left to right
CREATE TABLE t (a INT, b INT);
INSERT INTO t VALUES (1, 2);
UPDATE t SET a = b, b = a + 10;
SELECT * FROM t;

-- ## UPDATE with ORDER BY and LIMIT
CREATE TABLE job (id INT PRIMARY KEY, state VARCHAR(10));
INSERT INTO job VALUES (1, 'waiting'), (2, 'waiting'), (3, 'waiting');
UPDATE job SET state = 'running' WHERE state = 'waiting' ORDER BY id DESC LIMIT 2;
SELECT * FROM job ORDER BY id;

-- ## UPDATE of joined tables
CREATE TABLE t (id INT PRIMARY KEY, total INT DEFAULT 0);
CREATE TABLE c (t_id INT, n INT, seen BOOLEAN DEFAULT FALSE);
INSERT INTO t (id) VALUES (1), (2);
INSERT INTO c (t_id, n) VALUES (1, 5), (2, 7);
UPDATE t JOIN c ON c.t_id = t.id SET t.total = c.n, c.seen = TRUE WHERE c.n > 5;
SELECT t.id, t.total, c.seen FROM t JOIN c ON c.t_id = t.id ORDER BY t.id;

-- ## UPDATE with a subquery
CREATE TABLE t (id INT, n INT);
CREATE TABLE c (t_id INT);
INSERT INTO t VALUES (1, 0), (2, 0);
INSERT INTO c VALUES (1), (1);
UPDATE t SET n = (SELECT COUNT(*) FROM c WHERE c.t_id = t.id);
SELECT * FROM t ORDER BY id;

-- ## UPDATE SET to DEFAULT
CREATE TABLE t (id INT, state VARCHAR(5) DEFAULT 'new');
INSERT INTO t VALUES (1, 'old');
UPDATE t SET state = DEFAULT;
SELECT * FROM t;

-- ## DELETE with ORDER BY and LIMIT
CREATE TABLE t (id INT);
INSERT INTO t VALUES (1), (2), (3), (4);
DELETE FROM t ORDER BY id LIMIT 3;
SELECT * FROM t;

-- ## DELETE from joined tables
CREATE TABLE p (id INT PRIMARY KEY, closed BOOLEAN);
CREATE TABLE c (id INT PRIMARY KEY, p_id INT);
INSERT INTO p VALUES (1, TRUE), (2, FALSE);
INSERT INTO c VALUES (10, 1), (11, 2), (12, 1);
DELETE p, c FROM p JOIN c ON c.p_id = p.id WHERE p.closed;
SELECT id FROM p;
SELECT id FROM c;

-- ## DELETE with USING
CREATE TABLE t (id INT, g INT);
CREATE TABLE g (id INT, closed BOOLEAN);
INSERT INTO t VALUES (1, 1), (2, 2);
INSERT INTO g VALUES (1, TRUE), (2, FALSE);
DELETE FROM t USING t LEFT JOIN g ON g.id = t.g WHERE g.closed;
SELECT * FROM t;

-- ## DELETE RETURNING
CREATE TABLE t (id INT, name VARCHAR(5));
INSERT INTO t VALUES (1, 'a'), (2, 'b');
DELETE FROM t WHERE id = 1 RETURNING id, name;
SELECT * FROM t;

-- # transactions and locks

-- ## COMMIT and ROLLBACK
CREATE TABLE t (id INT);
START TRANSACTION;
INSERT INTO t VALUES (1);
COMMIT;
BEGIN;
INSERT INTO t VALUES (2);
ROLLBACK;
SELECT * FROM t;

-- ## SET autocommit
CREATE TABLE t (id INT);
SET autocommit = 0;
INSERT INTO t VALUES (1);
COMMIT;
INSERT INTO t VALUES (2);
ROLLBACK;
SET autocommit = 1;
SELECT * FROM t;

-- ## SAVEPOINT
CREATE TABLE t (id INT);
BEGIN;
INSERT INTO t VALUES (1);
SAVEPOINT a;
INSERT INTO t VALUES (2);
ROLLBACK TO SAVEPOINT a;
COMMIT;
SELECT * FROM t;

-- ## error in a transaction undoes only its statement
CREATE TABLE t (id INT PRIMARY KEY);
BEGIN;
INSERT INTO t VALUES (1);
INSERT INTO t VALUES (2), (1);
INSERT INTO t VALUES (3);
COMMIT;
SELECT id FROM t ORDER BY id;

-- ## DDL commits
CREATE TABLE t (id INT);
BEGIN;
INSERT INTO t VALUES (1);
CREATE TABLE u (id INT);
ROLLBACK;
SELECT COUNT(*) FROM t;

-- ## SET TRANSACTION ISOLATION LEVEL
CREATE TABLE t (id INT);
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;
SELECT @@tx_isolation;
START TRANSACTION;
INSERT INTO t VALUES (1);
COMMIT;
SELECT * FROM t;

-- ## error: writing in a READ ONLY transaction
CREATE TABLE t (id INT);
START TRANSACTION READ ONLY;
INSERT INTO t VALUES (1);
ROLLBACK;
SELECT COUNT(*) FROM t;

-- ## START TRANSACTION WITH CONSISTENT SNAPSHOT
CREATE TABLE t (id INT);
INSERT INTO t VALUES (1);
START TRANSACTION WITH CONSISTENT SNAPSHOT;
SELECT id FROM t;
COMMIT;

-- ## FOR UPDATE
CREATE TABLE t (id INT PRIMARY KEY, n INT);
INSERT INTO t VALUES (1, 5), (2, 6);
BEGIN;
SELECT n FROM t WHERE id = 1 FOR UPDATE;
UPDATE t SET n = n + 1 WHERE id = 1;
COMMIT;
SELECT n FROM t WHERE id = 1;

-- ## FOR UPDATE SKIP LOCKED and NOWAIT
CREATE TABLE t (id INT PRIMARY KEY);
INSERT INTO t VALUES (1), (2);
BEGIN;
SELECT id FROM t ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED;
SELECT id FROM t WHERE id = 2 FOR UPDATE NOWAIT;
COMMIT;

-- ## LOCK IN SHARE MODE
CREATE TABLE t (id INT PRIMARY KEY);
INSERT INTO t VALUES (1);
BEGIN;
SELECT id FROM t LOCK IN SHARE MODE;
COMMIT;

-- ## LOCK TABLES
CREATE TABLE t (id INT);
LOCK TABLES t WRITE;
INSERT INTO t VALUES (1);
UNLOCK TABLES;
SELECT COUNT(*) FROM t;

-- ## GET_LOCK and RELEASE_LOCK
SELECT GET_LOCK('feature', 1);
SELECT RELEASE_LOCK('feature');
SELECT RELEASE_LOCK('feature');

-- # sessions

-- ## user variables
CREATE TABLE t (id INT);
INSERT INTO t VALUES (3), (4);
SET @least = 3, @name := 'x';
SELECT @least + 1, @name, @unset;
SELECT id FROM t WHERE id > @least;
SELECT MAX(id) INTO @top FROM t;
SELECT @top;

-- ## PREPARE and EXECUTE
CREATE TABLE t (id INT, name VARCHAR(5));
INSERT INTO t VALUES (1, 'a'), (2, 'b');
PREPARE find FROM 'SELECT name FROM t WHERE id = ?';
SET @wanted = 2;
EXECUTE find USING @wanted;
DEALLOCATE PREPARE find;

-- ## EXECUTE IMMEDIATE
CREATE TABLE t (id INT);
EXECUTE IMMEDIATE 'INSERT INTO t VALUES (?)' USING 5;
SELECT * FROM t;

-- ## ROW_COUNT
CREATE TABLE t (id INT);
INSERT INTO t VALUES (1), (2), (3);
DELETE FROM t WHERE id > 1;
SELECT ROW_COUNT();

-- ## system variables
SET SESSION sql_mode = 'STRICT_ALL_TABLES,ANSI_QUOTES';
SELECT @@sql_mode;
SELECT "x".n FROM (SELECT 1 AS n) AS "x";
SET NAMES utf8mb4;
SELECT @@character_set_client, @@autocommit;

-- ## sql_mode without strictness
CREATE TABLE t (a TINYINT, v VARCHAR(3), n INT NOT NULL);
SET sql_mode = '';
INSERT INTO t (a, v) VALUES (500, 'abcdef');
SELECT * FROM t;

-- ## ONLY_FULL_GROUP_BY error
CREATE TABLE t (a INT, b INT);
SET sql_mode = 'ONLY_FULL_GROUP_BY';
SELECT a, b FROM t GROUP BY a;

-- ## SHOW VARIABLES
SHOW VARIABLES LIKE 'autocommit';
SHOW SESSION VARIABLES WHERE variable_name = 'sql_safe_updates';

-- ## VERSION, DATABASE and CONNECTION_ID
SELECT VERSION() LIKE '%MariaDB%', DATABASE() = SCHEMA(), CONNECTION_ID() > 0;
SELECT CURRENT_USER() <> '' AND USER() <> '';

-- ## SHOW WARNINGS
CREATE TABLE t (v VARCHAR(3));
INSERT IGNORE INTO t VALUES ('abcdef');
SHOW WARNINGS;

-- # catalogs

-- ## SHOW TABLES
CREATE TABLE a (id INT);
CREATE VIEW v AS SELECT id FROM a;
SHOW TABLES;
SHOW FULL TABLES;

-- ## SHOW COLUMNS and DESCRIBE
CREATE TABLE t (id INT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY, name VARCHAR(20) DEFAULT 'x', price DECIMAL(8,2) NOT NULL);
SHOW COLUMNS FROM t;
DESCRIBE t;

-- ## SHOW CREATE TABLE
CREATE TABLE t (id INT NOT NULL AUTO_INCREMENT, name VARCHAR(20) NOT NULL, PRIMARY KEY (id), KEY by_name (name)) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
SHOW CREATE TABLE t;

-- ## SHOW INDEX
CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT, UNIQUE KEY pair (a, b));
SHOW INDEX FROM t;

-- ## information_schema.tables
CREATE TABLE t (id INT);
CREATE VIEW v AS SELECT id FROM t;
SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name;

-- ## information_schema.columns
CREATE TABLE t (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, name VARCHAR(20) DEFAULT 'x', size ENUM('s', 'l'));
SELECT column_name, column_type, data_type, is_nullable, column_default, column_key, extra FROM information_schema.columns
WHERE table_schema = DATABASE() AND table_name = 't' ORDER BY ordinal_position;

-- ## information_schema of foreign keys
CREATE TABLE p (id INT PRIMARY KEY);
CREATE TABLE c (id INT, p_id INT, CONSTRAINT c_p FOREIGN KEY (p_id) REFERENCES p (id) ON DELETE CASCADE);
SELECT k.constraint_name, k.column_name, k.referenced_table_name, k.referenced_column_name, r.delete_rule
FROM information_schema.key_column_usage k JOIN information_schema.referential_constraints r ON r.constraint_name = k.constraint_name AND r.constraint_schema = k.constraint_schema
WHERE k.table_schema = DATABASE() AND k.table_name = 'c';

-- ## information_schema.statistics
CREATE TABLE t (id INT PRIMARY KEY, a INT, b INT, UNIQUE KEY pair (b, a));
SELECT index_name, non_unique, seq_in_index, column_name FROM information_schema.statistics
WHERE table_schema = DATABASE() AND table_name = 't' ORDER BY index_name, seq_in_index;

-- ## EXPLAIN
CREATE TABLE t (id INT PRIMARY KEY, n INT);
INSERT INTO t VALUES (1, 1), (2, 2);
EXPLAIN SELECT n FROM t WHERE id = 1;

-- ## ANALYZE TABLE and CHECK TABLE
CREATE TABLE t (id INT PRIMARY KEY);
INSERT INTO t VALUES (1);
ANALYZE TABLE t;
CHECK TABLE t;
SELECT COUNT(*) FROM t;

-- # errors

-- ## error: duplicate key
CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(5) UNIQUE);
INSERT INTO t VALUES (1, 'a');
INSERT INTO t VALUES (1, 'b');
INSERT INTO t VALUES (2, 'a');
INSERT INTO t VALUES (3, 'c'), (3, 'd');
SELECT * FROM t ORDER BY id;

-- ## error: column cannot be NULL
CREATE TABLE t (id INT NOT NULL, name VARCHAR(5) NOT NULL);
INSERT INTO t VALUES (1, NULL);
INSERT INTO t VALUES (1, 'a');
UPDATE t SET name = NULL;
SELECT * FROM t;

-- ## error: column without a default
CREATE TABLE t (id INT NOT NULL, name VARCHAR(5));
INSERT INTO t (name) VALUES ('a');
SELECT COUNT(*) FROM t;

-- ## error: incorrect value
CREATE TABLE t (n INT, at DATETIME);
INSERT INTO t VALUES ('12a', NULL);
INSERT INTO t VALUES (NULL, 'soon');
SELECT COUNT(*) FROM t;

-- ## error: unknown table
SELECT * FROM missing;
INSERT INTO missing VALUES (1);
DROP TABLE missing;

-- ## error: unknown column
CREATE TABLE t (id INT);
SELECT nothing FROM t;
INSERT INTO t (nothing) VALUES (1);
UPDATE t SET nothing = 1;
SELECT x.id FROM t;

-- ## error: unknown function
CREATE TABLE t (id INT);
SELECT no_such_function(id) FROM t;
SELECT LENGTH(1, 2);

-- ## error: syntax
CREATE TABLE t (id INT);
SELEC * FROM t;
SELECT FROM WHERE;
SELECT COUNT(*) FROM t;

-- ## error: table exists
CREATE TABLE t (id INT);
CREATE TABLE t (id INT);
CREATE INDEX i ON t (id);
CREATE INDEX i ON t (id);

-- ## error: column count
CREATE TABLE t (a INT, b INT);
INSERT INTO t VALUES (1, 2, 3);
INSERT INTO t (a, b) VALUES (1);
SELECT COUNT(*) FROM t;

-- ## error: ambiguous column
CREATE TABLE a (id INT);
CREATE TABLE b (id INT);
SELECT id FROM a, b;

-- ## error: drop of a table with children
CREATE TABLE p (id INT PRIMARY KEY);
CREATE TABLE c (p_id INT, FOREIGN KEY (p_id) REFERENCES p (id));
DROP TABLE p;
TRUNCATE TABLE p;
SELECT COUNT(*) FROM p;
