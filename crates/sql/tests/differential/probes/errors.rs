//! Errors that servers find before they look at a row.

use super::Probes;

pub const MARIADB: Probes = Probes {
    tables: &["errors_b", "errors_a", "errors_c"],
    setup: &[
        "CREATE TABLE errors_a (id INT PRIMARY KEY, a INT)",
        "CREATE TABLE errors_b (id INT PRIMARY KEY, b INT)",
        "CREATE TABLE errors_c (x INT)",
    ],
    answered: &[
        "INSERT INTO errors_a VALUES (1, 1), (2, 2)",
        "INSERT INTO errors_b VALUES (1, 1), (2, 2)",
        "INSERT INTO errors_c VALUES (1)",
        "SELECT * FROM errors_a, errors_b JOIN errors_c ON errors_a.id = x",
        "SELECT * FROM errors_a, errors_b JOIN errors_c ON errors_b.id = x",
        "SELECT * FROM errors_a, errors_b LEFT JOIN errors_c ON a = x",
        "SELECT * FROM errors_a, errors_b JOIN errors_c ON id = x",
        "SELECT * FROM errors_a JOIN (errors_b JOIN errors_c ON errors_a.id = x) ON true",
        "UPDATE errors_a JOIN errors_b ON a = b SET id = 5",
        "UPDATE errors_a, errors_b SET id = 5",
        "UPDATE errors_a JOIN errors_b ON a = b SET a = 5 WHERE id = 1",
        "DELETE errors_a FROM errors_a JOIN errors_b ON a = b WHERE id = 1",
        "INSERT INTO errors_c SELECT 1 FROM (SELECT concat('f', '') AS z FROM errors_a WHERE id = 9) q WHERE z > 2",
    ],
    refused: &[],
};

pub const POSTGRESQL: Probes = Probes {
    tables: &["errors_b", "errors_a", "errors_c"],
    setup: &[
        "CREATE TABLE errors_a (id INT PRIMARY KEY, a INT)",
        "CREATE TABLE errors_b (id INT PRIMARY KEY, b INT REFERENCES errors_a (id))",
        "CREATE TABLE errors_c (x INT)",
    ],
    answered: &[
        "INSERT INTO errors_a VALUES (1, 1), (2, 2)",
        "INSERT INTO errors_b VALUES (1, 1), (2, 2)",
        "INSERT INTO errors_c VALUES (1)",
        "SELECT * FROM errors_a, errors_b JOIN errors_c ON errors_a.id = x",
        "SELECT * FROM errors_a, errors_b JOIN errors_c ON errors_b.id = x",
        "SELECT * FROM errors_a, errors_b JOIN errors_c ON a = x",
        "INSERT INTO errors_c VALUES (2, ~ NULL)",
        "INSERT INTO errors_c VALUES (2, 3), (~ NULL, 1)",
        "INSERT INTO errors_c VALUES (2, 3), (1), (~ NULL)",
        "INSERT INTO errors_c VALUES (1, 2 / 0)",
        "SELECT array_agg(NULL) FROM errors_a",
        "SELECT json_agg('x') FROM errors_a",
        "SELECT mode() WITHIN GROUP (ORDER BY NULL) FROM errors_a",
        "SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY 'x') FROM errors_a",
        "SELECT lag(NULL) OVER (ORDER BY id) FROM errors_a",
        "SELECT last_value('x') OVER (ORDER BY id) FROM errors_a",
        "SELECT ~ NULL",
        "SELECT count(*) FROM errors_a FOR UPDATE",
        "SELECT a FROM errors_a GROUP BY a FOR UPDATE",
        "SELECT DISTINCT a FROM errors_a FOR UPDATE",
        "SELECT DISTINCT ON (a) a FROM errors_a FOR UPDATE",
        "SELECT 1 FROM errors_a HAVING true FOR UPDATE",
        "SELECT row_number() OVER () FROM errors_a FOR SHARE",
        "TRUNCATE errors_a",
        "TRUNCATE errors_b",
        "INSERT INTO errors_a VALUES (1, 1), (2, 2)",
        "TRUNCATE errors_a, errors_b",
    ],
    refused: &[
        "SELECT k FROM (SELECT avg(4 / (x - 1)), count(*) AS k FROM errors_c) q",
        "SELECT 1 FROM (SELECT 1 / (x - 1) AS y FROM errors_c) q",
    ],
};
