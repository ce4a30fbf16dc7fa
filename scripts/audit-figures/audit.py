"""Runs `tristan audit` on one log, in a process of its own, and measures it.

The limit is CPU time, so that other programs on the machine do not change a verdict, and it grows with the number of
statements on tables, so that long logs and short ones are judged alike. It is enforced twice. The kernel stops the
audit (`ulimit -t`) when it has used the limit, rounded up to whole seconds. A verdict that took more than the exact
limit counts as unknown, too. `--time`, which is elapsed time, is three times the limit, so it matters only if an audit
waits instead of computing.

The memory of an audit is the peak of its resident memory. Linux counts at least the memory of the process that
started it, so figures below 30 MB or so say nothing.
"""

import json
import math
import os
import signal
import subprocess
import sys
import tempfile

from configuration import COLLATIONS

# What the servers promise, as documented in docs/audit.md.
PROMISES = {
    ("postgresql", "read-committed"): "strong-rc",
    ("postgresql", "repeatable-read"): "ssi",
    ("postgresql", "serializable"): "ser",
    ("mariadb", "read-committed"): "strong-rc",
    ("mariadb", "repeatable-read"): "mariadb-rr",
    ("mariadb", "serializable"): "ser",
}
MEMORY = "4G"
VERDICTS = {0: "accept", 1: "reject", 2: "unknown"}


def audit(program, log, configuration, limit):
    """Audits a log at the level that its server promised. Returns the verdict, its reason and what it took."""
    command = [program, "audit", str(log), "--level", PROMISES[configuration[:2]], "--no-config", "--json"]
    command += ["--progress", "off", "--collation", COLLATIONS[configuration.server], "--memory", MEMORY]
    code, usage, told, said = run(command + ["--time", f"{math.ceil(3 * limit)}s"], math.ceil(limit))
    cpu = usage.ru_utime + usage.ru_stime
    try:
        details = json.loads(told)
        details.pop("witness", None)
    except json.JSONDecodeError:
        details = {}
    verdict, reason = judgement(code, cpu, limit)
    result = {
        "verdict": verdict,
        "exit": code,
        "cpu_seconds": round(cpu, 3),
        "memory_bytes": usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024),
    }
    if unjudged := details.get("log", {}).get("unjudged"):
        result["not_judged"] = unjudged
    if verdict != "accept":
        sentence = details.get("rejection", {}).get("sentence") or details.get("reason")
        result["reason"] = reason or sentence or said or f"exit code {code}"
        result["details"] = details or None
    return result


def run(command, cpu_seconds):
    """Runs a command until it ends or has used that much CPU time. Returns its exit code, usage and output."""
    limited = ["sh", "-c", 'ulimit -c 0; ulimit -t "$0"; exec "$@"', str(cpu_seconds), *command]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(limited, stdout=out, stderr=err, stdin=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        told, said = (file.read().decode(errors="replace").strip() for file in (out, err))
    return process.returncode, usage, told, said


def judgement(code, cpu, limit):
    """The verdict that counts, and its reason if the audit did not give one."""
    verdict = VERDICTS.get(code, "error")
    # The kernel sends SIGKILL at the limit, which it measures less exactly than it reports, on a busy machine by a tenth.
    stopped = code in (-signal.SIGXCPU, -signal.SIGKILL) and cpu > 0.8 * limit
    if cpu > limit or stopped:
        ignored = f"; the verdict was {verdict}" if code >= 0 else ""
        return "unknown", f"more than {limit:.1f} s of CPU time{ignored}"
    return verdict, f"ended by {signal.Signals(-code).name}" if code < 0 else None
