"""Serve a scripted model over the OpenAI protocol, to try a set-up without an API key."""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where to serve."""
    parser.add_argument("--port", type=int, default=0, help="the server's port (default: any free one)")
    parser.add_argument(
        "--faults",
        metavar="NAME",
        help="fail like this: `xai.overflow`, `openai.rate_limit:2` (twice), `server_error=503`; others are listed",
    )


def run(args: argparse.Namespace) -> None:
    """Serve until interrupted."""
    from longtrail.llm.mock.faults import parse_fault
    from longtrail.llm.mock.server import serve

    serve(args.port, faults=[parse_fault(args.faults)] if args.faults else ())
