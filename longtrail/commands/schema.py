"""Print the JSON Schema of the messages between Longtrail and an agent in its own process."""

import argparse
import sys
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to write the schema."""
    parser.add_argument(
        "--out", type=Path, default=None, metavar="FILE", help="write it to this file (default: print it)"
    )


def run(args: argparse.Namespace) -> None:
    """Print the schema, or write it to the file."""
    import json

    from longtrail.agents.message_schema import schema

    text = json.dumps(schema(), indent=2) + "\n"
    if args.out is None:
        sys.stdout.write(text)
    else:
        args.out.write_text(text, encoding="utf-8")
        print(args.out)
