"""Print the JSON Schema of the messages between Longtrail and an agent in its own process."""

import argparse
from typing import Any


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """How much of it."""
    parser.add_argument("--short", action="store_true", help="only an example of each action, with every field")


def run(args: argparse.Namespace) -> None:
    """Print the schema, or the actions."""
    import json

    from longtrail.records.action_forms import FORMS, forms

    print("\n".join(forms(FORMS).values()) if args.short else json.dumps(schema(), indent=2))


def schema() -> dict[str, Any]:
    """One JSON Schema with a definition for each message, by its name: those of agents over HTTP, and of agents that
    drive the browser themselves."""
    from pydantic.json_schema import models_json_schema

    from longtrail.agents.cdp.process import AgentReport, TaskMessage
    from longtrail.agents.remote import ActAnswer, ActRequest, ObserveAnswer, ObserveRequest

    messages = (ActRequest, ActAnswer, ObserveRequest, ObserveAnswer, TaskMessage, AgentReport)
    _, definitions = models_json_schema([(message, "validation") for message in messages])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Messages between Longtrail and agents in processes of their own",
        **definitions,
    }
