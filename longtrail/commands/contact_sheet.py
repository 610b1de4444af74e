"""Take pictures of the consumer sites' pages and show them side by side."""

import argparse
from pathlib import Path

from longtrail.runs.run_folder import REPORTS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which sites, and where to write the pictures."""
    parser.add_argument("hosts", nargs="*", metavar="HOST", help="only these sites (default: all)")
    parser.add_argument(
        "--out", type=Path, default=REPORTS / "contact-sheet", metavar="DIR", help="default: reports/contact-sheet"
    )


def run(args: argparse.Namespace) -> None:
    """Take the pictures and print the path of their page."""
    from longtrail.authoring.contact_sheet import contact_sheet

    print(contact_sheet(args.hosts, args.out, tell=print))
