"""Print the JSON Schema of the messages between Longtrail and an agent in its own process."""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How much of it."""
    parser.add_argument("--short", action="store_true", help="only an example of each action, with every field")


def run(args: argparse.Namespace) -> None:
    """Print the schema, or the actions."""
    import json

    from longtrail.agents.message_schema import schema
    from longtrail.records.action import FORMS

    print("\n".join(FORMS.values()) if args.short else json.dumps(schema(), indent=2))
