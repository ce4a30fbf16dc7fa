import random
import sys
import threading
import time
import traceback
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connections
from django.test import Client

from orders.management.browsing import Shopper, Staff

# Whoever lost too often keeps the others from sending anything new until it has succeeded.
TURNSTILE = threading.Lock()
PATIENCE = 10
ATTEMPTS = 100

SQLSTATES = {"40001", "40P01"}
MYSQL_ERRORS = {1020, 1205, 1213}


class Browser(Client):
    """A client that sends a request again when its transaction lost against another."""

    def __init__(self):
        super().__init__(raise_request_exception=False)
        self.thread = threading.get_ident()
        self.statuses = Counter()
        self.retries = 0
        self.failures = []

    @property
    def sent(self):
        return self.statuses.total()

    def store_exc_info(self, **kwargs):
        # The signal tells every client of every client's exceptions.
        if threading.get_ident() == self.thread:
            super().store_exc_info(**kwargs)

    def generic(self, *args, **kwargs):
        with ExitStack() as turn:
            for attempt in range(ATTEMPTS):
                if attempt < PATIENCE:
                    with TURNSTILE:
                        pass
                elif attempt == PATIENCE:
                    turn.enter_context(TURNSTILE)
                response = super().generic(*args, **kwargs)
                if response.status_code != 500 or not is_conflict(response.exc_info):
                    break
                self.retries += 1
                time.sleep(random.uniform(0, 0.002 * 2 ** min(attempt, 6)))
        self.statuses[response.status_code] += 1
        if response.status_code >= 500:
            trace = traceback.format_exception(*response.exc_info) if response.exc_info else []
            self.failures.append("".join([f"{args[0]} {args[1]}\n", *trace]))
        return response


def is_conflict(exc_info):
    error = exc_info and exc_info[1]
    while error:
        if isinstance(error, OperationalError):
            return getattr(error.__cause__, "sqlstate", None) in SQLSTATES or not MYSQL_ERRORS.isdisjoint(error.args)
        error = error.__cause__ or error.__context__
    return False


class Command(BaseCommand):
    help = "Lets clients use the shop at the same time. The first one is staff and uses the admin."

    def add_arguments(self, parser):
        parser.add_argument("--clients", type=int, default=8)
        parser.add_argument("--requests", type=int, default=500, help="of each client")
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, clients, requests, seed, **options):
        names = list(User.objects.filter(customer__isnull=False).order_by("id").values_list("username", flat=True))
        if not names:
            raise CommandError("There are no customers: run the command seed first.")

        def run(index):
            rng = random.Random(f"{seed}/{index}")
            browser = Browser()
            user = Staff(browser, rng) if index == 0 else Shopper(browser, rng, names[index % len(names)])
            try:
                user.log_in()
                while browser.sent < requests:
                    user.act()
            finally:
                connections.close_all()
            return browser

        began = time.monotonic()
        with ThreadPoolExecutor(clients) as pool:
            browsers = list(pool.map(run, range(clients)))
        seconds = time.monotonic() - began

        statuses = sum((browser.statuses for browser in browsers), Counter())
        retries = sum(browser.retries for browser in browsers)
        failures = [failure for browser in browsers for failure in browser.failures]
        listed = ", ".join(f"{count} × {status}" for status, count in sorted(statuses.items()))
        self.stdout.write(
            f"{statuses.total()} requests in {seconds:.1f} s ({listed}), {retries} retries, {len(failures)} failures"
        )
        if failures:
            self.stderr.write(failures[0])
            sys.exit(1)
