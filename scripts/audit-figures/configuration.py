"""How a log is recorded, and how the name of its file says so.

    postgresql-read-committed-c8-a30-r20-1.jsonl

is the first log of PostgreSQL at READ COMMITTED with 8 clients and 20 hot rows, where 30 % of the work is sent
without BEGIN. The name is all that `judge` needs to know beside the log, so a folder of logs can be moved.
"""

import re
import typing

SERVERS = ("postgresql", "mariadb")
LEVELS = ("read-committed", "repeatable-read", "serializable")
# The collations of the databases, which the log does not state.
COLLATIONS = {"postgresql": "C", "mariadb": "utf8mb4_general_ci"}

NAME = re.compile(rf"({'|'.join(SERVERS)})-({'|'.join(LEVELS)})-c(\d+)-a(\d+)-r(\d+)-\d+\.jsonl")


class Configuration(typing.NamedTuple):
    """The server, its isolation level, the number of clients, the percentage of autocommit, the number of rows."""

    server: str
    level: str
    clients: int
    autocommit: int
    rows: int

    def __str__(self):
        return f"{self.server}-{self.level}-c{self.clients}-a{self.autocommit}-r{self.rows}"


def configuration_of(log):
    """The configuration that the name of a log states. Returns `None` if `record` gives no such name."""
    found = NAME.fullmatch(log.name)
    return found and Configuration(found[1], found[2], *map(int, found.groups()[2:]))
