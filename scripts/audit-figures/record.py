"""Records logs: starts clients against a fresh database and lets them contend for its rows.

Each log has a database of its own, created through the proxy, so the log contains everything that was ever stored and
the audit needs nothing else. A log gets its name when it is complete. One that exists is skipped, so an interrupted
run can be continued.
"""

import collections
import concurrent.futures
import contextlib
import itertools
import re
import sys
import time

from configuration import Configuration
from failure import Failure
from proxy import Proxy
from servers import Refused, Server, drivers
from statements import tables
from workload import BEGIN, Workload


def record(options):
    """The command `record`."""
    drivers()
    options.dir.mkdir(parents=True, exist_ok=True)
    servers = {name: Server(name) for name in options.server}
    parts = options.server, options.level, options.clients, options.autocommit, options.rows
    configurations = list(itertools.starmap(Configuration, itertools.product(*parts)))
    failed = 0
    for place, configuration in enumerate(configurations, 1):
        done, summary = record_logs(options, servers[configuration.server], configuration)
        print(f"[{place}/{len(configurations)}] {configuration}: {summary}", flush=True)
        failed += done["failed"]
    if failed:
        raise Failure(f"{failed} logs could not be recorded; run the command again to try once more")


def record_logs(options, server, configuration):
    """Records the logs of a configuration. Returns how many were recorded, skipped and failed, and a summary."""
    started, done, refusals = time.monotonic(), collections.Counter(recorded=0), collections.Counter()
    for number in range(1, options.logs + 1):
        name = f"{configuration}-{number}"
        log, part = options.dir / f"{name}.jsonl", options.dir / f"{name}.part"
        if log.exists():
            done["skipped"] += 1
            continue
        part.unlink(missing_ok=True)
        try:
            refusals += record_log(options, server, configuration, name, part)
        except Exception as error:
            done["failed"] += 1
            part.unlink(missing_ok=True)
            reason = error if isinstance(error, Failure) else f"{type(error).__name__}: {error}"
            print(f"{name}: not recorded: {reason}", file=sys.stderr)
        else:
            part.rename(log)
            done["recorded"] += 1
    counts = ", ".join(f"{count} {what}" for what, count in done.items())
    errors = ", ".join(f"{count} × {what}" for what, count in refusals.most_common())
    return done, f"{counts}, {time.monotonic() - started:.1f} s" + (f" ({errors})" if errors else "")


def record_log(options, server, configuration, name, log):
    """Records one log. Returns how many statements the server refused, by reason."""
    database = "figures_" + re.sub(r"\W", "_", name)
    *workloads, initial = [
        Workload(f"{options.seed}/{name}/{number}", configuration) for number in range(configuration.clients + 1)
    ]
    server.create(database)
    with Proxy(options.tristan, server, log) as proxy:
        with server.connected(database, proxy.address) as connection:
            for sql in (*tables(configuration.server), *initial.rows()):
                connection.run(sql)
        with contextlib.ExitStack() as stack:
            connections = []
            for _ in workloads:
                connections.append(stack.enter_context(server.connected(database, proxy.address)))
                server.set_level(connections[-1], configuration.level)
            refusals = run_clients(connections, workloads, options.transactions)
    server.drop(database)
    return refusals


def run_clients(connections, workloads, transactions):
    turns = iter(range(transactions))
    with concurrent.futures.ThreadPoolExecutor(len(connections)) as pool:
        clients = [pool.submit(client, *pair, turns) for pair in zip(connections, workloads)]
        try:
            done = concurrent.futures.as_completed(clients)
            return sum((one.result() for one in done), collections.Counter())
        finally:
            # If a client failed, the others begin no further transaction.
            for _ in turns:
                pass


def client(connection, workload, turns):
    """Runs transactions until no turn is left. Returns how many statements the server refused, by reason."""
    refusals = collections.Counter()
    for _ in turns:
        unit = workload.unit()
        for sql, values in unit:
            try:
                connection.run(sql, values, prepared=workload.chance(0.5))
            except Refused as refused:
                refusals[str(refused)] += 1
                if unit[0] == BEGIN:
                    connection.run("ROLLBACK")
                    break
            time.sleep(workload.random.random() * 0.002)
    return refusals
