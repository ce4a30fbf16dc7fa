"""The tables, and the statements from which the clients choose.

Three small tables are enough for what makes an audit hard: keys of one and of two columns, secondary indexes, NULL,
decimal numbers, joins, subqueries, aggregates, and writes whose effect depends on what they read.

A placeholder in a statement stands for a random value:

    {key} {order}           the key of an item, of an order; some do not exist
    {key} … {high}          the ends of a range of a few keys
    {group} {price}         a value of the column
    {word} {tag} {note}     one of the strings below
    {1..9} {0.01..9.00}     an integer, a decimal number
    {word?}                 as {word}, but sometimes NULL
    {first}                 the first value of the statement once more

`{lock}` stands for one of the clauses in `LOCKS`. A choice is a statement, a tuple of equally likely
statements, or a tuple of pairs of a weight and a choice.
"""

import re

from configuration import COLLATIONS

STRINGS = {
    "word": ("red", "green", "blue", "amber", "violet", "teal"),
    "tag": ("new", "sale", "old", "rare"),
    "note": ("open", "paid", "sent", "lost"),
}
LOCKS = {
    "postgresql": ("FOR UPDATE", "FOR UPDATE", "FOR SHARE", "FOR NO KEY UPDATE"),
    "mariadb": ("FOR UPDATE", "FOR UPDATE", "LOCK IN SHARE MODE"),
}
ON_TABLES = re.compile(r"\s*(SELECT|INSERT|REPLACE|UPDATE|DELETE)\b.*\b(item|orders|label)\b", re.I | re.S)


def is_on_tables(sql):
    """Whether a statement reads or changes rows, unlike BEGIN or CREATE TABLE."""
    return bool(ON_TABLES.match(sql))


def tables(server):
    """The statements that create the tables."""
    options = f" ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE={COLLATIONS[server]}" if server == "mariadb" else ""
    return (
        "CREATE TABLE item (id INT PRIMARY KEY, grp INT, qty INT NOT NULL, price DECIMAL(10,2),"
        f" name VARCHAR(20)){options}",
        "CREATE INDEX item_grp ON item (grp)",
        "CREATE TABLE orders (id INT PRIMARY KEY, item INT NOT NULL, n INT NOT NULL, total DECIMAL(12,2),"
        f" note VARCHAR(20)){options}",
        "CREATE INDEX orders_item ON orders (item)",
        "CREATE TABLE label (item INT NOT NULL, tag VARCHAR(10) NOT NULL, weight INT,"
        f" PRIMARY KEY (item, tag)){options}",
    )


def statements(server):
    """All statements of a server, as a choice."""
    return ((0.48, READS), (0.10, LOCKING_READS), (0.42, writes(server)))


READS = (
    (6, (
        "SELECT qty, price, name FROM item WHERE id = {key}",
        "SELECT * FROM item WHERE id = {key}",
        "SELECT item, n, total, note FROM orders WHERE id = {order}",
        "SELECT weight FROM label WHERE item = {key} AND tag = {tag}",
    )),
    (3, "SELECT id, qty FROM item WHERE id IN ({key}, {key}, {key})"),
    (5, (
        "SELECT id, qty, price FROM item WHERE id BETWEEN {key} AND {high} ORDER BY id",
        "SELECT id, name FROM item WHERE id >= {key} AND id < {high}",
        "SELECT id, n, total FROM orders WHERE id > {key} AND id <= {high} ORDER BY id DESC",
        "SELECT id, price FROM item WHERE price > {price} ORDER BY price, id",
    )),
    # Through an index, or a condition on no key.
    (5, (
        "SELECT id, qty, name FROM item WHERE grp = {group}",
        "SELECT id, n, total FROM orders WHERE item = {key} ORDER BY id",
        "SELECT tag, weight FROM label WHERE item = {key} ORDER BY tag",
        "SELECT id, item FROM orders WHERE note = {note} ORDER BY id",
    )),
    (2, (
        "SELECT id, qty FROM item WHERE name IS NULL ORDER BY id",
        "SELECT id FROM orders WHERE total IS NOT NULL AND n > {1..6} ORDER BY id",
        "SELECT id, COALESCE(price, 0) FROM item WHERE grp IS NULL ORDER BY id",
    )),
    (6, (
        "SELECT COUNT(*), SUM(qty), MAX(price) FROM item",
        "SELECT COUNT(*), COUNT(name), MIN(qty) FROM item WHERE grp = {group}",
        "SELECT SUM(total), MAX(n) FROM orders WHERE item = {key}",
        "SELECT COUNT(*) FROM orders WHERE id BETWEEN {key} AND {high}",
        "SELECT SUM(weight), COUNT(DISTINCT tag) FROM label WHERE item <= {key}",
    )),
    (2, (
        "SELECT grp, COUNT(*), SUM(qty) FROM item GROUP BY grp ORDER BY grp",
        "SELECT item, COUNT(*), SUM(total) FROM orders GROUP BY item HAVING COUNT(*) > {0..2} ORDER BY item",
        "SELECT DISTINCT grp FROM item WHERE qty > {0..100} ORDER BY grp",
    )),
    (5, (
        "SELECT i.id, i.qty, o.id, o.total FROM item i JOIN orders o ON o.item = i.id WHERE i.grp = {group}",
        "SELECT i.id, i.price, l.tag, l.weight FROM item i LEFT JOIN label l ON l.item = i.id"
        " WHERE i.id BETWEEN {key} AND {high} ORDER BY i.id, l.tag",
        "SELECT o.id, o.n * i.price FROM orders o JOIN item i ON i.id = o.item WHERE o.id = {order}",
        "SELECT i.grp, SUM(o.total) FROM item i JOIN orders o ON o.item = i.id GROUP BY i.grp ORDER BY i.grp",
    )),
    (5, (
        "SELECT id, qty FROM item i WHERE EXISTS (SELECT 1 FROM orders o WHERE o.item = i.id AND o.n > {1..6})"
        " ORDER BY id",
        "SELECT id FROM item i WHERE NOT EXISTS (SELECT 1 FROM label l WHERE l.item = i.id AND l.tag = {tag})"
        " ORDER BY id",
        "SELECT id, n FROM orders WHERE item IN (SELECT id FROM item WHERE grp = {group}) ORDER BY id",
        "SELECT id, (SELECT SUM(o.total) FROM orders o WHERE o.item = i.id) FROM item i WHERE id = {key}",
        "SELECT id, name FROM item WHERE qty = (SELECT MAX(qty) FROM item) ORDER BY id",
    )),
    (4, (
        "SELECT id, qty FROM item ORDER BY qty DESC, id LIMIT 3",
        "SELECT id, total FROM orders WHERE item >= {key} ORDER BY total LIMIT 2",
        "SELECT id, name FROM item WHERE name > {word} ORDER BY name, id LIMIT 3",
    )),
)

LOCKING_READS = (
    (4, (
        "SELECT qty, price FROM item WHERE id = {key} {lock}",
        "SELECT n, total FROM orders WHERE id = {order} {lock}",
    )),
    (2, "SELECT id, qty FROM item WHERE id BETWEEN {key} AND {high} ORDER BY id {lock}"),
    (2, (
        "SELECT id, total, note FROM orders WHERE item = {key} ORDER BY id {lock}",
        "SELECT id, qty FROM item WHERE grp = {group} {lock}",
    )),
)

# Complete rows. An item and an order begin with their keys, a label with both columns of its key.
ITEM = "({key}, {group?}, {0..100}, {price?}, {word?})"
ORDER = "({order}, {key}, {1..9}, {price?}, {note?})"
LABEL = "({key}, {tag}, {0..9?})"
INTO_ITEM = "INTO item (id, grp, qty, price, name) VALUES " + ITEM
INTO_ORDERS = "INTO orders (id, item, n, total, note) VALUES " + ORDER
INTO_LABEL = "INTO label (item, tag, weight) VALUES " + LABEL

INSERT_OTHERS = ("INSERT " + INTO_LABEL, "INSERT " + INTO_ITEM)
UPSERTS = {
    "postgresql": (
        f"INSERT {INTO_ITEM} ON CONFLICT (id) DO UPDATE SET qty = item.qty + excluded.qty, name = excluded.name",
        f"INSERT {INTO_ORDERS} ON CONFLICT (id) DO UPDATE SET n = orders.n + 1, total = excluded.total"
        " RETURNING id, n",
        f"INSERT {INTO_LABEL} ON CONFLICT (item, tag) DO UPDATE SET weight = label.weight + 1",
        f"INSERT {INTO_ITEM} ON CONFLICT DO NOTHING",
        f"INSERT {INTO_ORDERS} ON CONFLICT (id) DO NOTHING",
    ),
    "mariadb": (
        f"INSERT {INTO_ITEM} ON DUPLICATE KEY UPDATE qty = qty + VALUES(qty), name = VALUES(name)",
        f"INSERT {INTO_ORDERS} ON DUPLICATE KEY UPDATE n = n + 1, total = VALUES(total)",
        f"INSERT {INTO_LABEL} ON DUPLICATE KEY UPDATE weight = weight + 1",
        f"INSERT IGNORE {INTO_ITEM}",
        f"INSERT IGNORE {INTO_ORDERS}",
        f"REPLACE {INTO_LABEL}",
        f"REPLACE {INTO_ITEM}",
    ),
}
UPDATES_RETURNING = (
    "UPDATE item SET qty = qty + {1..9} WHERE id = {key} RETURNING id, qty",
    "UPDATE orders SET n = n + 1 WHERE item = {key} RETURNING id, n, total",
    "UPDATE item SET price = price + 1 WHERE id BETWEEN {key} AND {high} RETURNING id, price",
)
# The quotient of two integers is an integer in PostgreSQL, and a decimal number in MariaDB.
REMAINDERS = {"postgresql": "qty - 10 * (qty / 10)", "mariadb": "id MOD 5"}


def writes(server):
    """The statements of a server that change rows, as a choice."""
    return (
        (8, (
            "UPDATE item SET qty = qty + {1..9} WHERE id = {key}",
            "UPDATE item SET price = {price?}, grp = {group?} WHERE id = {key}",
            "UPDATE item SET name = {word?} WHERE id = {key}",
            "UPDATE orders SET n = n + 1, note = {note?} WHERE id = {order}",
            "UPDATE item SET qty = qty - {1..30} WHERE id = {key} AND qty >= {first}",
            "UPDATE label SET weight = {0..9?} WHERE item = {key} AND tag = {tag}",
        )),
        (4, (
            "UPDATE item SET qty = qty + 1 WHERE id BETWEEN {key} AND {high}",
            "UPDATE item SET price = price + {0.01..3.00} WHERE id >= {key} AND id < {high}",
            "UPDATE orders SET note = {note} WHERE id BETWEEN {key} AND {high}",
        )),
        (5, (
            "UPDATE orders SET total = n * 1.25 WHERE id = {order}",
            "UPDATE orders SET total = total + {0.01..9.00} WHERE id = {order}",
            "UPDATE item SET price = qty * 0.25, qty = qty + COALESCE(grp, 1) WHERE id = {key}",
            "UPDATE item SET qty = COALESCE(grp, 0), grp = " + REMAINDERS[server] + " WHERE id = {key}",
            "UPDATE item SET qty = CASE WHEN price > {price} THEN qty + 5 ELSE qty - 1 END"
            " WHERE id BETWEEN {key} AND {high}",
        )),
        (3, (
            "UPDATE orders SET n = n + 1 WHERE item = {key}",
            "UPDATE item SET qty = qty + 2 WHERE grp = {group}",
            "UPDATE orders SET item = {key} WHERE id = {order}",
        )),
        # MariaDB has no UPDATE … RETURNING.
        (4 if server == "postgresql" else 0, UPDATES_RETURNING),
        (5, (
            (0.3, (f"INSERT {INTO_ORDERS} RETURNING id, n", *INSERT_OTHERS)),
            (0.7, (f"INSERT {INTO_ORDERS}", *INSERT_OTHERS)),
        )),
        (6, UPSERTS[server]),
        (4, (
            "DELETE FROM orders WHERE id = {order}",
            "DELETE FROM orders WHERE id = {order} RETURNING n, total",
            "DELETE FROM label WHERE item = {key} AND tag = {tag}",
            "DELETE FROM item WHERE id = {key}",
        )),
        (2, (
            "DELETE FROM orders WHERE note = {note} AND n > {2..8}",
            "DELETE FROM label WHERE weight < {1..4}",
            "DELETE FROM item WHERE grp = {group} AND qty < {0..8}",
            "DELETE FROM orders WHERE item = {key} AND total IS NULL",
        )),
    )
