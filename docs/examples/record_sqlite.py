"""Four clients of SQLite move money between ten accounts, and everything is recorded."""
import random, sqlite3, sys, threading
from recorder import Recorder

def client(session, database, recorder):
    db = sqlite3.connect(database, isolation_level=None, timeout=30)
    dice = random.Random(session)
    for _ in range(50):
        txn = next(recorder.txns)
        do = lambda op, ask, sql, args=(), answer=lambda rows: {}: recorder.call(
            session, txn, op, ask, lambda: db.execute(sql, args).fetchall(), answer)
        get = lambda k: do("get", {"k": k}, "SELECT v FROM kv WHERE k = ?", (k,),
                           lambda rows: {"v": rows[0][0] if rows else None})
        put = lambda k, v: do("put", {"k": k, "v": v}, "INSERT OR REPLACE INTO kv VALUES (?, ?)", (k, v))
        try:
            do("begin", {}, "BEGIN IMMEDIATE")
            a, b = dice.sample(range(10), 2)
            held = {k: (get(k) or [[0]])[0][0] for k in (a, b)}
            put(a, held[a] - 1)
            put(b, held[b] + 1)
            do("commit", {}, "COMMIT")
        except sqlite3.OperationalError:
            do("abort", {}, "ROLLBACK")

database, trace = sys.argv[1:3]
sqlite3.connect(database).executescript("PRAGMA journal_mode = WAL; CREATE TABLE kv (k INTEGER PRIMARY KEY, v INTEGER)")
recorder = Recorder(trace, "SQLite " + sqlite3.sqlite_version, "strict-serializable")
threads = [threading.Thread(target=client, args=(session, database, recorder)) for session in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
