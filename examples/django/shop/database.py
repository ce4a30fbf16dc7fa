"""Reads the entry of DATABASES from a URL such as postgres://user:password@host:port/name."""

from urllib.parse import unquote, urlsplit


def database(url, isolation=None, server_side_binding=False):
    parts = urlsplit(url)
    if parts.scheme in ("postgres", "postgresql"):
        engine, options = "postgresql", postgres_options(isolation, server_side_binding)
    elif parts.scheme in ("mysql", "mariadb"):
        engine, options = "mysql", mysql_options(isolation)
    else:
        raise ValueError(f"DATABASE_URL must begin with postgres:// or mysql://, not {parts.scheme}://")
    return {
        "ENGINE": f"django.db.backends.{engine}",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
        "OPTIONS": options,
        "CONN_MAX_AGE": None,
    }


def postgres_options(isolation, server_side_binding):
    from psycopg import IsolationLevel

    options = {}
    if isolation:
        options["isolation_level"] = IsolationLevel[isolation.upper().replace(" ", "_")]
    if server_side_binding:
        options["server_side_binding"] = True
    return options


def mysql_options(isolation):
    import pymysql

    # Django asks for a version of mysqlclient, whose place PyMySQL takes.
    pymysql.version_info = (2, 2, 1, "final", 0)
    pymysql.install_as_MySQLdb()
    options = {"charset": "utf8mb4"}
    if isolation:
        options["isolation_level"] = isolation.lower()
    return options
