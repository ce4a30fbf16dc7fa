//! Digits of quotients inside aggregates of MariaDB.

use super::Probes;

pub const PROBES: Probes = Probes {
    tables: &["quotients"],
    setup: &["CREATE TABLE quotients (a INT PRIMARY KEY, d DECIMAL(6,2))"],
    answered: &[
        "INSERT INTO quotients VALUES (1, 1.25), (2, 10.00), (3, 0.07)",
        "SELECT avg(2.005/3.0)",
        "SELECT sum(a/7), avg(a/7), min(a/7), max(a/7) FROM quotients",
        "SELECT sum(d/7), avg(d/7) FROM quotients",
        "SELECT sum(a/7*3), avg(a/7/3) FROM quotients",
        "SELECT avg(coalesce(d, 0)), sum(ifnull(a, 1)) FROM quotients",
        "SELECT avg(CASE WHEN a > 1 THEN d ELSE a END) FROM quotients",
        "SELECT sum(greatest(a, d)) FROM quotients",
        "SELECT coalesce(a/7, 0) FROM quotients",
    ],
    refused: &[
        "SELECT avg(coalesce(a/7, 0)) FROM quotients",
        "SELECT sum(ifnull(a/7, 0)) FROM quotients",
        "SELECT avg(CASE WHEN a > 1 THEN a/7 ELSE 0 END) FROM quotients",
        "SELECT sum(if(a > 1, a/7, 0)) FROM quotients",
        "SELECT avg(greatest(a/7, 0)) FROM quotients",
        "SELECT avg(1 + least(a/7, 0)) FROM quotients",
    ],
};
