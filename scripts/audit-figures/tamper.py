"""Changes one value of one answer in a copy of a log.

The server sent one value and the copy shows another, so the copy is a log of a server that made a mistake. It must be
rejected: the answer belongs to a committed transaction, and an audit has to explain every answer of such a
transaction. The new value is plausible, as after a lost update or a stale read: a number differs from the old one by
at most 3, or by at most 3 units of its last digit; a string becomes another string of the workload; and any value may
become NULL.

There is one exception. If some state that the level allows contains the new value, a correct server could have
returned it, and an accept is right. The change is written beside the copy, so every accepted copy can be examined.
The change depends only on the name and the contents of the log.
"""

import decimal
import itertools
import json
import random
import re

from statements import STRINGS, is_on_tables


def tamper(log, copy):
    """Writes the copy and returns the change. Returns `None` if the log contains no rows that could be changed."""
    lines = log.read_bytes().splitlines(keepends=True)
    answers = answers_to_explain(map(json.loads, lines))
    if not answers:
        return None
    chance = random.Random(log.name)
    place, call, end = chance.choice(answers)
    row = chance.randrange(len(end["rows"]))
    column = chance.randrange(len(end["rows"][row]))
    name, kind = end["columns"][column]
    old = end["rows"][row][column]
    end["rows"][row][column] = new = another(old, kind, chance)
    lines[place] = (json.dumps(end, separators=(",", ":"), ensure_ascii=False) + "\n").encode()
    copy.write_bytes(b"".join(lines))
    change = {
        "log": log.name,
        "line": place + 1,
        "transaction": end["txn"],
        "statement": end["end"],
        "sql": call["sql"],
        "params": call.get("params", []),
        "row": row + 1,
        "column": name,
        "type": kind,
        "old": old,
        "new": new,
    }
    copy.with_suffix(".change.json").write_text(json.dumps(change, indent=2, ensure_ascii=False) + "\n")
    return change


def answers_to_explain(entries):
    """The answers with rows of committed transactions: the place of the line, the call and the answer."""
    calls, committed, answers = {}, set(), []
    for place, entry in enumerate(entries):
        if "call" in entry:
            calls[entry["call"]] = entry
        elif "finish" in entry and entry["outcome"] == "committed":
            committed.add(entry["finish"])
        elif entry.get("end") in calls and entry.get("columns") and entry["rows"]:
            answers.append((place, calls[entry["end"]], entry))
    return [
        (place, call, end) for place, call, end in answers if end["txn"] in committed and is_on_tables(call["sql"])
    ]


def another(value, kind, chance):
    """A different value that a wrong server might have returned."""
    words = [word for word in itertools.chain(*STRINGS.values()) if word != value]
    if value is None:
        if re.search("num|dec", kind):
            return f"{chance.randint(1, 40)}.{chance.randint(0, 99):02}"
        return chance.randint(1, 9) if "int" in kind else chance.choice(words)
    if chance.random() < 0.15:
        return None
    step = chance.choice((-3, -2, -1, 1, 2, 3))
    if isinstance(value, int):
        return value + step
    if re.fullmatch(r"-?\d+(\.\d+)?", value):
        exact = decimal.Decimal(value)
        unit = decimal.Decimal(1).scaleb(exact.as_tuple().exponent) if chance.random() < 0.5 else 1
        return str((exact + step * unit).quantize(exact))
    return chance.choice(words)
