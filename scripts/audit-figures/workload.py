"""Random transactions on a few hot rows.

With few rows, many transactions overlap on the same row, so there are many orders that an audit has to consider. That
is what these logs are for. The seed fixes the random numbers of each client. The server still decides how transactions
interleave and which are refused, so two logs with the same seed differ.

A statement is a text with question marks, and the values in their places.
"""

import decimal
import random
import re

from literals import literal
from statements import ITEM, LABEL, LOCKS, ORDER, STRINGS, statements

PLACEHOLDER = re.compile(r"\{(.+?)\}")

BEGIN, COMMIT, ROLLBACK = ("BEGIN", ()), ("COMMIT", ()), ("ROLLBACK", ())


class Workload:
    """What one client sends, unit by unit."""

    def __init__(self, seed, configuration):
        self.random = random.Random(seed)
        self.configuration = configuration
        self.statements = statements(configuration.server)
        self.ranges = {
            "order": f"1..{2 * configuration.rows + 3}",
            "group": "1..4",
            "price": "0.01..40.00",
        }

    def unit(self):
        """A transaction, or as many statements that each commit by themselves."""
        statements = [self.statement() for _ in range(self.random.randint(2, 6))]
        if self.chance(self.configuration.autocommit / 100):
            return statements
        if self.chance(0.2):
            self.add_savepoint(statements)
        return [BEGIN, *statements, ROLLBACK if self.chance(0.07) else COMMIT]

    def add_savepoint(self, statements):
        # MariaDB releases the locks of a transaction at ROLLBACK TO a savepoint that was set before the
        # transaction touched a table, which is not serializable: see docs/audit.md.
        first = 1 if self.configuration[:2] == ("mariadb", "serializable") else 0
        start = self.random.randint(first, len(statements) - 1)
        end = self.random.randint(start + 1, len(statements))
        undo = "ROLLBACK TO SAVEPOINT s" if self.chance(0.65) else "RELEASE SAVEPOINT s"
        statements.insert(end, (undo, ()))
        statements.insert(start, ("SAVEPOINT s", ()))

    def statement(self):
        template = self.choose(self.statements)
        if "{lock}" in template:
            template = template.replace("{lock}", self.random.choice(LOCKS[self.configuration.server]))
        return self.fill(template)

    def rows(self):
        """One INSERT per table, with literals: the rows that exist when the clients start."""
        rows = self.configuration.rows
        items = [(key, *self.fill(ITEM)[1][1:]) for key in range(1, rows + 1)]
        orders = [(key, *self.fill(ORDER)[1][1:]) for key in range(1, rows + rows // 2 + 2)]
        keys = sorted({self.fill(LABEL)[1][:2] for _ in range(2 * rows)})
        labels = [(*key, self.value("0..9?", ())) for key in keys]
        for table, rows in (("item", items), ("orders", orders), ("label", labels)):
            values = ", ".join("(" + ", ".join(map(literal, row)) + ")" for row in rows)
            yield f"INSERT INTO {table} VALUES {values}"

    def chance(self, probability):
        return self.random.random() < probability

    def choose(self, choice):
        if isinstance(choice, str):
            return choice
        if isinstance(choice[0], str):
            return self.random.choice(choice)
        weights, choices = zip(*choice)
        return self.choose(self.random.choices(choices, weights)[0])

    def fill(self, template):
        """Replaces placeholders by question marks; the second part of the result is their values."""
        values = []

        def draw(found):
            values.append(self.value(found[1], values))
            return "?"

        return PLACEHOLDER.sub(draw, template), tuple(values)

    def value(self, placeholder, before):
        """A random value for a placeholder, given the values before it."""
        if placeholder.endswith("?"):
            value = self.value(placeholder[:-1], before)
            return None if self.chance(0.15) else value
        if placeholder in STRINGS:
            return self.random.choice(STRINGS[placeholder])
        rows = self.configuration.rows
        if placeholder == "key":
            missing = rows // 5 + 1 if self.chance(0.2) else 0
            return self.random.randint(1, rows + missing)
        if placeholder == "high":
            return before[-1] + self.random.randint(0, max(2, min(8, rows // 4)))
        if placeholder == "first":
            return before[0]
        return self.within(self.ranges.get(placeholder, placeholder))

    def within(self, span):
        """A number between two ends that are written like 1..9, or like 0.01..9.00 for a decimal number."""
        low, high = span.split("..")
        if "." not in low:
            return self.random.randint(int(low), int(high))
        cents = self.random.randint(int(low.replace(".", "")), int(high.replace(".", "")))
        return decimal.Decimal(cents) / 100
