"""Measures how well `tristan audit` decides logs of contended, mixed SQL workloads.

    scripts/servers run python3 scripts/audit-figures record DIR    records logs through tristan proxy
    python3 scripts/audit-figures judge DIR --tampered -o FILE      audits them and prints a table

record starts many clients that send random statements to a few hot rows of PostgreSQL and MariaDB, at every isolation
level. judge audits each log at the level that the server promised, so every log should be accepted. With --tampered,
it also changes one value of one answer in a copy of each log. Such a copy should be rejected, unless a correct server
could have returned the changed value as well.
"""

import sys

# No bytecode is written next to the sources. This has to come before the other imports.
sys.dont_write_bytecode = True

import argparse
import pathlib
import re
import shutil

from configuration import LEVELS, SERVERS
from failure import Failure
from judge import judge
from record import record

TRISTAN = pathlib.Path(__file__).resolve().parents[2] / "target/release/tristan"


def numbers(low, high):
    """The type of an option that takes a list of numbers."""

    def parse(text):
        values = [int(part) for part in text.split(",")] if re.fullmatch(r"\d+(,\d+)*", text) else []
        if not values or not all(low <= value <= high for value in values):
            raise argparse.ArgumentTypeError(f"found {text!r}, expected numbers from {low} to {high}, as in 4,8,16")
        return list(dict.fromkeys(values))

    return parse


def at_least(low, kind=int):
    """The type of an option that takes a number."""

    def parse(text):
        try:
            value = kind(text)
        except ValueError:
            value = None
        if value is None or not value >= low:
            raise argparse.ArgumentTypeError(f"found {text!r}, expected a number, at least {low}")
        return value

    return parse


def program(text):
    found = shutil.which(text)
    if not found:
        raise argparse.ArgumentTypeError(f"there is no program {text!r}; build it with cargo build --release")
    return str(pathlib.Path(found).resolve())


def add_record(commands):
    parser = commands.add_parser(
        "record",
        help="record logs through tristan proxy",
        description="Records logs of random transactions on PostgreSQL and MariaDB through tristan proxy, one database"
        " per log. A log that exists is skipped, so an interrupted run can be continued. Needs the servers of"
        " scripts/servers: scripts/servers run python3 scripts/audit-figures record DIR",
    )
    add = parser.add_argument
    add("dir", type=pathlib.Path, metavar="DIR", help="the folder for the logs")
    add("--server", action="append", choices=SERVERS, help="only this server; can be repeated (default: both)")
    add("--level", action="append", choices=LEVELS, help="only this level; can be repeated (default: all)")
    add("--clients", type=numbers(1, 100), default="4,8,16", metavar="LIST",
        help="numbers of clients (default: %(default)s)")
    add("--autocommit", type=numbers(0, 100), default="0,30", metavar="LIST",
        help="percentages of the work that is sent without BEGIN (default: %(default)s)")
    add("--rows", type=numbers(1, 10000), default="3,20,100", metavar="LIST",
        help="numbers of hot rows (default: %(default)s)")
    add("--logs", type=at_least(1), default=2, metavar="N",
        help="number of logs for each combination of the above (default: %(default)s)")
    add("--transactions", type=at_least(1), default=300, metavar="N",
        help="transactions per log; two to six statements without BEGIN count as one (default: %(default)s)")
    add("--seed", default="1", metavar="TEXT", help="seed of the random statements (default: %(default)s)")
    parser.set_defaults(run=record)
    return parser


def add_judge(commands):
    parser = commands.add_parser(
        "judge",
        help="audit the recorded logs and print a table",
        description="Audits each log at the level that docs/audit.md gives for its server and isolation level, and"
        " prints a table, then a line for each log that was not judged as it should be. The exit code is 1 if an"
        " unchanged log was rejected or could not be read.",
    )
    add = parser.add_argument
    add("dir", type=pathlib.Path, metavar="DIR", help="the folder with the logs")
    add("--seconds-per-10000", type=at_least(0.001, float), default=60.0, metavar="SECONDS",
        help="CPU time for an audit per 10,000 statements on tables; at least 3 s per log (default: %(default)g)")
    add("--tampered", action="store_true",
        help="also judge a copy of each log in which one value of an answer is changed; the copies are kept in"
        " DIR/tampered, with the change beside each in NAME.change.json")
    add("-o", "--output", type=pathlib.Path, metavar="FILE", help="write all results as JSON")
    parser.set_defaults(run=judge)
    return parser


def arguments():
    parser = argparse.ArgumentParser(
        prog="audit-figures", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in (add_record(commands), add_judge(commands)):
        command.add_argument("--tristan", type=program, default=str(TRISTAN), metavar="PATH",
                             help="the program (default: target/release/tristan)")
    options = parser.parse_args()
    if options.command == "record":
        options.server = list(dict.fromkeys(options.server or SERVERS))
        options.level = list(dict.fromkeys(options.level or LEVELS))
    return options


def main():
    options = arguments()
    try:
        return options.run(options)
    except (Failure, OSError) as failure:
        print(f"audit-figures: {failure}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
