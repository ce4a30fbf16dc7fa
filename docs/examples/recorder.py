"""Writes a trace: a line before each call, a line after it. Copy it into your own client."""
import itertools, json, threading, time

class Recorder:
    def __init__(self, path, database, level):
        self.file, self.lock = open(path, "w"), threading.Lock()
        self.calls, self.txns = itertools.count(1), itertools.count(1)
        self.write({"tristan": "trace/1", "database": database, "level": level})

    def write(self, line):
        with self.lock:
            self.file.write(json.dumps(line) + "\n")
            self.file.flush()

    def call(self, session, txn, op, ask, run, answer=lambda result: {}, undone=lambda error: False):
        """Does run() and returns its result; answer(result) is what the trace says of it. If a commit fails,
        undone(error) tells whether the database promises that nothing was committed; else that stays unknown."""
        call = next(self.calls)
        self.write({"call": call, "s": session, "t": txn, "op": op, **ask, "at": time.monotonic_ns()})
        try:
            result = run()
        except Exception as error:
            aborted = {"aborted": True} if op == "commit" and undone(error) else {}
            self.write({"return": call, "error": str(error), **aborted, "at": time.monotonic_ns()})
            raise
        self.write({"return": call, **answer(result), "at": time.monotonic_ns()})
        return result
