"""Serve a scripted model over the OpenAI protocol, to try a set-up without an API key."""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to serve."""
    parser.add_argument("--port", type=int, default=0, help="the server's port (default: any free one)")


def run(args: argparse.Namespace) -> None:
    """Serve until interrupted."""
    from longtrail.llm.mock.server import serve

    serve(args.port)
