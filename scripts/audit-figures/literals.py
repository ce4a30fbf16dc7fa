"""Values as SQL.

A statement is a text with question marks, and the values in their places. The strings of the workload contain neither
question marks nor quotation marks, so nothing has to be escaped.
"""

import itertools


def literal(value):
    """A value as SQL text."""
    if value is None:
        return "NULL"
    return f"'{value}'" if isinstance(value, str) else str(value)


def with_literals(sql, values):
    """A statement with its values in place of the question marks."""
    parts = sql.split("?")
    return "".join(itertools.chain(*zip(parts, map(literal, values)), parts[-1:]))
