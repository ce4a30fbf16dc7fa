"""Prints results: a Markdown table, and below it a line for every verdict that needs an explanation.

The table has a row for each server and level, and one for all of them. An error counts as unknown: neither decides
anything. Every exception is named, so no figure of the table has to be taken on trust.
"""

import collections
import itertools
import json
import statistics

from configuration import LEVELS, SERVERS

HEAD = ("server", "level", "logs", "accepted", "rejected", "unknown", "CPU seconds, median / max")
TAMPERED_HEAD = ("tampered", "found", "accepted", "unknown", "CPU seconds, median / max")


def print_table(results, tampered):
    groups = {names: [] for names in itertools.product(SERVERS, LEVELS)}
    for one in results:
        groups[one["server"], one["level"]].append(one)
    groups["all", ""] = results
    rows = [HEAD + TAMPERED_HEAD if tampered else HEAD]
    rows += [row_of(*names, group, tampered) for names, group in groups.items() if group]
    cells = [[str(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells)]
    cells.insert(1, ["-" * width for width in widths])
    for row in cells:
        print("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |")
    print_totals(results)


def row_of(server, level, group, tampered):
    accepted, rejected, unknown, cpu = figures(group)
    row = [server, level, len(group), accepted, rejected, unknown, cpu]
    if tampered:
        copies = [one["tampered"] for one in group if "tampered" in one]
        accepted, rejected, unknown, cpu = figures(copies)
        row += [len(copies), rejected, accepted, unknown, cpu]
    return row


def figures(results):
    """How many were accepted, rejected and undecided, and the CPU time."""
    count = collections.Counter(one["verdict"] for one in results)
    used = [one["cpu_seconds"] for one in results]
    cpu = f"{statistics.median(used):.2f} / {max(used):.2f}" if used else "–"
    return count["accept"], count["reject"], count["unknown"] + count["error"], cpu


def print_totals(results):
    memory = max(one["memory_bytes"] for one in results)
    print(f"Most memory: {memory / 1e6:.0f} MB. Statements: {sum(one['statements'] for one in results)}.")
    not_judged = collections.Counter()
    for one in results:
        for part in one.get("not_judged", ()):
            not_judged[part["reason"]] += part["statements"]
    for reason, count in not_judged.most_common():
        print(f"Not judged: {count} statements: {reason}")


def print_exceptions(results):
    """A line for each log that was not accepted, then one for each tampered copy that was not rejected."""
    lines = [line_of(one, one["log"]) for one in results if one["verdict"] != "accept"]
    for one in results:
        copy, name = one.get("tampered", {"verdict": "reject"}), f"tampered/{one['log']}"
        if copy["verdict"] == "accept":
            lines.append(line_of_missed(copy["change"], name))
        elif copy["verdict"] != "reject":
            lines.append(line_of(copy, name))
    if lines:
        print("", *lines, sep="\n")


def line_of(result, name):
    return f"{result['verdict']:8} {name}: {shorten(result['reason'])}"


def line_of_missed(change, name):
    values = f"{json.dumps(change['old'])} → {json.dumps(change['new'])}"
    return f"missed   {name}: line {change['line']}, {change['column']} {values}: {shorten(change['sql'])}"


def shorten(text):
    line = " ".join(text.split())
    return line if len(line) <= 200 else line[:199] + "…"
