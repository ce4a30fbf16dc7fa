"""Audits all recorded logs, and tampered copies of them.

A log of a correct server must be accepted at the level that the server promises. A tampered copy must be rejected,
with the exception that `tamper.py` describes. An audit that decides neither within the limit is unknown.
"""

import json
import sys

from audit import PROMISES, audit
from configuration import configuration_of
from failure import Failure
from statements import is_on_tables
from table import print_exceptions, print_table
from tamper import tamper


def judge(options):
    """The command `judge`. Returns its exit code."""
    logs = recorded_logs(options.dir)
    if options.tampered:
        (options.dir / "tampered").mkdir(exist_ok=True)
    if options.output:
        # A file that cannot be written is better found now than in an hour.
        options.output.touch()
    results, interrupted = judge_logs(options, logs)
    if interrupted:
        print(f"audit-figures: interrupted after {len(results)} of {len(logs)} logs", file=sys.stderr)
    if results:
        if options.output:
            options.output.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
        print_table(results, options.tampered)
        print_exceptions(results)
    if interrupted:
        return 130
    return 1 if any(one["verdict"] in ("reject", "error") for one in results) else 0


def recorded_logs(folder):
    """The logs in a folder, each with its configuration."""
    logs = []
    for log in sorted(folder.glob("*.jsonl")):
        if configuration := configuration_of(log):
            logs.append((log, configuration))
        else:
            print(f"audit-figures: skipped {log.name}: not a name that record gives", file=sys.stderr)
    if not logs:
        raise Failure(f"{folder} contains no logs; record some first")
    return logs


def judge_logs(options, logs):
    """The results, and whether the user interrupted the run."""
    results, visible = [], sys.stderr.isatty()
    try:
        for log, configuration in logs:
            results.append(judge_log(options, log, configuration))
            if visible:
                print(f"\r{len(results)}/{len(logs)}", end="", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        return results, True
    finally:
        if visible:
            print(file=sys.stderr)
    return results, False


def judge_log(options, log, configuration):
    statements = statements_on_tables(log)
    limit = max(3.0, options.seconds_per_10000 * statements / 10000)
    result = {
        "log": log.name,
        **configuration._asdict(),
        "statements": statements,
        "audit_level": PROMISES[configuration[:2]],
        "limit": round(limit, 3),
        **audit(options.tristan, log, configuration, limit),
    }
    if options.tampered:
        copy = options.dir / "tampered" / log.name
        if change := tamper(log, copy):
            result["tampered"] = {"change": change, **audit(options.tristan, copy, configuration, limit)}
    return result


def statements_on_tables(log):
    with log.open("rb") as lines:
        return sum(is_on_tables(json.loads(line)["sql"]) for line in lines if line.startswith(b'{"call"'))
