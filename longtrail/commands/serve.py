"""Serve embedded sites over plain HTTP on this machine, for other frameworks: each on its own port, with a reset and a
request log.

POST /__longtrail__/reset begins an episode and returns its token; with ?task=HS-01, in the state of this task. GET
/__longtrail__/enter/TOKEN sets the cookie that assigns a browser to it. docs/serve.md has examples for Playwright,
BrowserGym and browser-use.
"""

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which sites, and where."""
    parser.add_argument(
        "sites", nargs="+", metavar="SITE", help="shopadmin, forum, search, or a host such as www.ikea.com"
    )
    parser.add_argument(
        "--port", type=int, default=0, help="port of the first site, the next ones follow (default: any)"
    )
    parser.add_argument("--login", action="store_true", help="require a log-in with the published test accounts")
    parser.add_argument(
        "--tasks", type=Path, default=None, metavar="DIR", help="also add the records of your own tasks"
    )


def run(args: argparse.Namespace) -> None:
    """Serve until Ctrl-C."""
    import threading

    from longtrail.runs.interrupts import end_at_interrupts
    from longtrail.tasks.loading import load_tasks, read_own_tasks
    from longtrail.web.registry import all_sites
    from longtrail.web.served.server import ServedSites

    end_at_interrupts()
    own_tasks = read_own_tasks(args.tasks)
    tasks = {**load_tasks(), **own_tasks}
    sites = all_sites(own=own_tasks.values())
    with ServedSites(sites, args.sites, args.port, log_in=args.login, tasks=tasks) as served:
        for host, address in served.addresses.items():
            print(f"{host:<24} {address}/{'admin/' if host == 'shopadmin.test' else ''}")
        first = next(iter(served.addresses.values()))
        print(f"{'reset':<24} curl -X POST {first}/__longtrail__/reset")
        print("Press Ctrl-C to stop.", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print()
