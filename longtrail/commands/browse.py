"""Open an embedded site, or the start page of a task, in a browser window."""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What to open."""
    parser.add_argument(
        "target", nargs="?", metavar="SITE|TASK", help="a host, a site or a task's id (default: the search page)"
    )
    parser.add_argument("--port", type=int, default=0, help="the port of the proxy (default: any free one)")


def run(args: argparse.Namespace) -> None:
    """Serve the sites and open the browser; returns when it is closed."""
    from longtrail.authoring.browse import browse

    browse(args.target, port=args.port)
