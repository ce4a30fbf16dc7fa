"""A commit that fails, and deletes, as docs/examples/record_sqlite.py writes them down."""
import sqlite3, sys
from record_sqlite import Client
from recorder import Recorder

database, trace = sys.argv[1:3]
sqlite3.connect(database).executescript("CREATE TABLE kv (k INTEGER PRIMARY KEY, v INTEGER)")
recorder = Recorder(trace, "SQLite", "strict-serializable")
one, two = (Client(name, database, recorder, timeout=0) for name in ("one", "two"))

def put_and_delete(client):
    client.put(1, 10)
    client.delete(2)

assert one.transaction(put_and_delete)

def read_while_two_commits(client):
    client.get(1)
    # Without a write-ahead log, a reader keeps others from committing.
    assert not two.transaction(lambda client: client.put(1, 11), begin="BEGIN")

assert one.transaction(read_while_two_commits, begin="BEGIN")
assert one.transaction(lambda client: client.get(1))
assert two.transaction(lambda client: client.delete(1))
assert not one.transaction(lambda client: client.do("put", {"k": 3, "v": 1}, "NO SQL"))
