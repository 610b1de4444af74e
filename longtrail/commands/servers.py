"""Commands that serve something until Ctrl-C: sites, reports, a scripted model; and the schema of remote agents."""

from argparse import Namespace
from typing import Any

from longtrail.commands.main import command
from longtrail.errors import UsageError


@command("browse")
def browse(args: Namespace) -> None:
    """Open an embedded site, or the start page of a task, in a browser window."""
    from longtrail.authoring.browse import browse

    browse(args.target, port=args.port)


@command("serve")
def serve(args: Namespace) -> None:
    """Serve embedded sites over plain HTTP on this machine, for other frameworks: each on its own port, with a reset
    and a request log.

    POST /__longtrail__/reset begins an episode and returns its token; with ?task=HS-01, in the state of this task. GET
    /__longtrail__/enter/TOKEN sets the cookie that assigns a browser to it. docs/serve.md has examples for Playwright,
    BrowserGym and browser-use.
    """
    import threading

    from longtrail.runs.under_way import end_at_interrupts
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


@command("view")
def view(args: Namespace) -> None:
    """Show a reports folder in the browser, also during runs: the same pages, built from the current files.

    The server listens on this machine only, requires the token in the printed address, and writes nothing.
    """
    import socket
    import webbrowser

    import uvicorn

    from longtrail.report.live import LiveReports

    if not args.reports.is_dir():
        raise UsageError(f"{args.reports}: there is no such folder")
    if not 0 <= args.port <= 65535:
        raise UsageError(f"--port: expected 0 to 65535, got {args.port}")
    site = LiveReports(args.reports)
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(("127.0.0.1", args.port))
        except OSError as error:
            raise UsageError(f"--port {args.port}: {error.strerror}") from error
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/leaderboard.html?token={site.token}"
        print(f"{address}\nPress Ctrl-C to stop.", flush=True)
        if args.open:
            webbrowser.open(address)
        config = uvicorn.Config(site.app(), log_level="warning", access_log=False, server_header=False)
        uvicorn.Server(config).run(sockets=[listening])


@command("mock-model")
def mock_model(args: Namespace) -> None:
    """Serve a scripted model over the OpenAI protocol, to try a set-up without an API key."""
    from longtrail.llm.mock.faults import parse_fault
    from longtrail.llm.mock.server import serve

    serve(args.port, faults=[parse_fault(args.faults)] if args.faults else ())


@command("schema")
def print_schema(args: Namespace) -> None:
    """Print the JSON Schema of the messages between Longtrail and an agent in its own process."""
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
