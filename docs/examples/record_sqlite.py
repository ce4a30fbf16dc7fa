"""Four clients of SQLite move money between ten accounts, and everything is recorded."""
import random, sqlite3, sys, threading
from recorder import Recorder

class Client:
    """A session of its own; every transaction is in the trace, whatever becomes of it."""
    def __init__(self, session, database, recorder, timeout=30):
        self.db = sqlite3.connect(database, isolation_level=None, timeout=timeout)
        self.session, self.recorder = session, recorder

    def do(self, op, ask, sql, args=(), answer=lambda rows, count: {}):
        def run():
            cursor = self.db.execute(sql, args)
            return cursor.fetchall(), cursor.rowcount
        # A commit that finds the database locked has done nothing. After other errors nobody knows.
        undone = lambda error: "locked" in str(error)
        done = self.recorder.call(self.session, self.txn, op, ask, run, lambda done: answer(*done), undone)
        return done[0]

    def get(self, k):
        rows = self.do("get", {"k": k}, "SELECT v FROM kv WHERE k = ?", (k,),
                       lambda rows, count: {"v": rows[0][0] if rows else None})
        return rows[0][0] if rows else None

    def put(self, k, v):
        self.do("put", {"k": k, "v": v}, "INSERT OR REPLACE INTO kv VALUES (?, ?)", (k, v))

    def delete(self, k):
        self.do("delete", {"k": k}, "DELETE FROM kv WHERE k = ?", (k,), lambda rows, count: {"rows": count})

    def transaction(self, work, begin="BEGIN IMMEDIATE"):
        """Does work(self) in a transaction; says whether it committed."""
        self.txn, step = next(self.recorder.txns), "begin"
        try:
            self.do("begin", {}, begin)
            step = "work"
            work(self)
            step = "commit"
            self.do("commit", {}, "COMMIT")
        except sqlite3.Error:
            # SQLite may have rolled back on its own. A begin or commit that failed ends the transaction in the trace.
            rollback = "ROLLBACK" if self.db.in_transaction else "SELECT 1"
            self.do("abort", {}, rollback) if step == "work" else self.db.execute(rollback)
            return False
        return True

def transfer(client, dice):
    a, b = dice.sample(range(10), 2)
    held = {k: client.get(k) or 0 for k in (a, b)}
    for k, v in ((a, held[a] - 1), (b, held[b] + 1)):
        client.put(k, v) if v else client.delete(k)

def run(session, database, recorder):
    client, dice = Client(session, database, recorder), random.Random(session)
    for _ in range(50):
        client.transaction(lambda client: transfer(client, dice))

if __name__ == "__main__":
    database, trace = sys.argv[1:3]
    sqlite3.connect(database).executescript(
        "PRAGMA journal_mode = WAL; CREATE TABLE kv (k INTEGER PRIMARY KEY, v INTEGER)")
    recorder = Recorder(trace, "SQLite " + sqlite3.sqlite_version, "strict-serializable")
    threads = [threading.Thread(target=run, args=(session, database, recorder)) for session in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
