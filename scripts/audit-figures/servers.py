"""The two servers: their addresses, their drivers, and what is different about them.

`scripts/servers run` starts them and puts their addresses into the environment. The drivers are written in Python;
they are installed below target/tools if they are missing. A refusal that contention or a random key explains, such as
a deadlock, is `Refused`: the client goes on. Any other error is a mistake of the workload and ends the recording of
the log, because a log full of syntax errors would be accepted easily.
"""

import contextlib
import functools
import importlib
import os
import pathlib
import subprocess
import sys
import urllib.parse

from configuration import COLLATIONS
from failure import Failure
from literals import with_literals

PACKAGES = pathlib.Path(__file__).resolve().parents[2] / "target/tools/python"

# By SQLSTATE of PostgreSQL and by error number of MariaDB.
EXPECTED = {
    "40001": "serialization failure",
    "40P01": "deadlock",
    "23505": "duplicate key",
    "1213": "deadlock",
    "1062": "duplicate key",
    "1205": "lock wait timeout",
    "1020": "row changed since it was read",
}


class Refused(Exception):
    """The server refused a statement for a reason in `EXPECTED`."""


def refusal(code, message, sql):
    expected = EXPECTED.get(str(code))
    return Refused(expected) if expected else Failure(f"the server refused {sql}: {code}: {message}")


@functools.cache
def drivers():
    """The modules pg8000.native and pymysql."""

    def load():
        return importlib.import_module("pg8000.native"), importlib.import_module("pymysql")

    sys.path.append(str(PACKAGES))
    with contextlib.suppress(ImportError):
        return load()
    print(f"audit-figures: installing pg8000 and pymysql in {PACKAGES}", file=sys.stderr)
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--target", str(PACKAGES), "pg8000", "pymysql"]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    importlib.invalidate_caches()
    try:
        return load()
    except ImportError as error:
        reason = done.stderr.strip().splitlines()[-1:] or [str(error)]
        raise Failure(f"cannot install pg8000 and pymysql: {reason[0]}") from None


class PostgreSQL:
    """A connection to PostgreSQL."""

    variable = "TRISTAN_POSTGRES"
    protocol = "postgres"
    create_options = "TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE '{0}' LC_CTYPE '{0}'"
    set_level = "SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL"

    def __init__(self, user, host, port, database):
        native, _ = drivers()
        self.error = native.DatabaseError
        self.session = native.Connection(
            user, host=host, port=port, database=database, timeout=60, ssl_context=None
        )

    def run(self, sql, values=(), prepared=False):
        """Sends a statement with its values in the text or, if it is to be prepared, with the values as parameters."""
        try:
            if not prepared:
                self.session.run(with_literals(sql, values))
                return
            first, *others = sql.split("?")
            text = first + "".join(f":p{place}{part}" for place, part in enumerate(others))
            self.session.run(text, **{f"p{place}": value for place, value in enumerate(values)})
        except self.error as error:
            told = error.args[0] if error.args and isinstance(error.args[0], dict) else {}
            raise refusal(told.get("C", "?"), told.get("M", error), with_literals(sql, values)) from None


class MariaDB:
    """A connection to MariaDB. The driver prepares no statements."""

    variable = "TRISTAN_MARIADB"
    protocol = "mysql"
    create_options = "CHARACTER SET utf8mb4 COLLATE {0}"
    set_level = "SET SESSION TRANSACTION ISOLATION LEVEL"

    def __init__(self, user, host, port, database):
        _, pymysql = drivers()
        self.error = pymysql.MySQLError
        self.session = pymysql.connect(
            user=user, host=host, port=port, database=database, autocommit=True, charset="utf8mb4",
            connect_timeout=60, read_timeout=60, write_timeout=60, ssl_disabled=True,
        )

    def run(self, sql, values=(), prepared=False):
        text = with_literals(sql, values)
        try:
            with self.session.cursor() as cursor:
                cursor.execute(text)
        except self.error as error:
            raise refusal(error.args[0] if error.args else "?", error, text) from None


class Server:
    """A server that scripts/servers has started."""

    def __init__(self, name):
        self.kind = {"postgresql": PostgreSQL, "mariadb": MariaDB}[name]
        self.create_options = self.kind.create_options.format(COLLATIONS[name])
        url = os.environ.get(self.kind.variable)
        if not url:
            raise Failure(
                f"{self.kind.variable} is not set; run: scripts/servers run python3 scripts/audit-figures record DIR"
            )
        parts = urllib.parse.urlsplit(url)
        self.user, self.host, self.port = parts.username, parts.hostname, parts.port
        self.home = parts.path.lstrip("/")

    @contextlib.contextmanager
    def connected(self, database, address):
        connection = self.kind(self.user, *address, database)
        try:
            yield connection
        finally:
            # The server or the proxy may have ended it already.
            with contextlib.suppress(Exception):
                connection.session.close()

    def administer(self, *statements):
        with self.connected(self.home, (self.host, self.port)) as connection:
            for sql in statements:
                connection.run(sql)

    def create(self, database):
        drop = f"DROP DATABASE IF EXISTS {database}"
        self.administer(drop, f"CREATE DATABASE {database} {self.create_options}")

    def drop(self, database):
        self.administer(f"DROP DATABASE {database}")

    def set_level(self, connection, level):
        """Sets the level of all transactions on a connection, including statements that commit by themselves."""
        connection.run(f"{self.kind.set_level} {level.replace('-', ' ').upper()}")
