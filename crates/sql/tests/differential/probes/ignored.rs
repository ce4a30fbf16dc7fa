//! INSERT IGNORE into tables with foreign keys: rows that refer to nothing are left out, as duplicates are.

use super::Probes;

pub const PROBES: Probes = Probes {
    tables: &["tagged", "pair_of", "person", "article", "tag", "pair"],
    setup: &[
        "CREATE TABLE article (id INT PRIMARY KEY, title VARCHAR(20))",
        "CREATE TABLE tag (name VARCHAR(20) PRIMARY KEY)",
        "CREATE TABLE tagged (id INT PRIMARY KEY, article INT, tag VARCHAR(20), UNIQUE (article, tag), FOREIGN KEY (article) REFERENCES article (id) ON DELETE CASCADE, FOREIGN KEY (tag) REFERENCES tag (name))",
        "CREATE TABLE pair (a INT, b INT, PRIMARY KEY (a, b))",
        "CREATE TABLE pair_of (a INT, b INT, n TINYINT NOT NULL, FOREIGN KEY (a, b) REFERENCES pair (a, b))",
        "CREATE TABLE person (id INT PRIMARY KEY, boss INT, FOREIGN KEY (boss) REFERENCES person (id))",
    ],
    answered: &[
        "INSERT INTO article VALUES (1, 'one'), (2, 'two'), (3, 'three')",
        "INSERT IGNORE INTO tag VALUES ('red'), ('Blue'), ('RED')",
        "INSERT INTO pair VALUES (1, 1), (1, 2), (0, 0)",
        // One row: referring to a row, to none, to NULL, and a duplicate.
        "INSERT IGNORE INTO tagged VALUES (1, 1, 'red')",
        "INSERT IGNORE INTO tagged VALUES (2, 9, 'red')",
        "INSERT IGNORE INTO tagged VALUES (2, 1, 'green')",
        "INSERT IGNORE INTO tagged VALUES (2, NULL, 'green')",
        "INSERT IGNORE INTO tagged VALUES (2, NULL, 'red')",
        "INSERT IGNORE INTO tagged VALUES (3, 1, NULL)",
        "INSERT IGNORE INTO tagged VALUES (4, NULL, NULL)",
        "INSERT IGNORE INTO tagged VALUES (4, 1, 'red')",
        "INSERT IGNORE INTO tagged VALUES (5, 1, 'RED')",
        "INSERT IGNORE INTO tagged VALUES (5, 2, 'BLUE')",
        "SELECT * FROM tagged ORDER BY id",
        // Several rows, one after the other.
        "INSERT IGNORE INTO tagged VALUES (10, 2, 'red'), (11, 9, 'red'), (10, 3, 'red'), (12, 3, 'red'), (13, 3, 'red'), (14, 3, 'none')",
        "INSERT IGNORE INTO tagged (article, id, tag) VALUES (9, 20, 'red'), (8, 21, 'none')",
        "INSERT IGNORE INTO tagged SELECT id + 30, id, 'blue' FROM article",
        "INSERT IGNORE INTO tagged SELECT id + 40, id + 1, NULL FROM article",
        "INSERT IGNORE INTO tagged (id, article) VALUES (50, 3), (51, 4) RETURNING id, article, tag",
        "INSERT IGNORE INTO tagged (id, article) VALUES (52, 4) RETURNING id",
        "SELECT * FROM tagged ORDER BY id",
        // Values that IGNORE makes valid refer to what they become.
        "INSERT IGNORE INTO pair_of VALUES (1, 1, 1), (1, 3, 2), (2, 1, 3), (NULL, 5, 4), (5, NULL, 5), (1, 2, 600)",
        "INSERT IGNORE INTO pair_of VALUES ('0x', '0y', 7), ('1x', '3', 8)",
        "SELECT * FROM pair_of ORDER BY n",
        // Rows that are gone, and rows that are new.
        "DELETE FROM article WHERE id = 2",
        "INSERT IGNORE INTO tagged VALUES (60, 2, 'red')",
        "INSERT INTO article VALUES (2, 'again')",
        "INSERT IGNORE INTO tagged VALUES (60, 2, 'red')",
        "UPDATE article SET title = 'other' WHERE id = 2",
        "INSERT IGNORE INTO tagged VALUES (61, 2, 'blue')",
        "SELECT * FROM tagged ORDER BY id",
        // A table that refers to itself.
        "INSERT IGNORE INTO person VALUES (1, 1)",
        "INSERT IGNORE INTO person VALUES (2, 1), (3, 2), (4, 5)",
        "INSERT IGNORE INTO person VALUES (5, NULL), (4, 5), (6, 7)",
        "SELECT * FROM person ORDER BY id",
    ],
    refused: &[
        "INSERT IGNORE INTO tagged VALUES (1, 9, 'red') ON DUPLICATE KEY UPDATE article = 2",
    ],
};
