"""Show a reports folder in the browser, also during runs: the same pages, built from the current files.

The server listens on this machine only, requires the token in the printed address, and writes nothing.
"""

import argparse
from pathlib import Path

from longtrail.errors import UsageError
from longtrail.paths import REPORTS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Which folder, and how to show it."""
    parser.add_argument(
        "reports", type=Path, nargs="?", default=REPORTS, metavar="REPORTS", help="the folder (default: reports)"
    )
    parser.add_argument("--port", type=int, default=0, help="the server's port (default: a free one)")
    parser.add_argument("--open", action="store_true", help="open the page in the browser")


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted."""
    if not args.reports.is_dir():
        raise UsageError(f"{args.reports}: there is no such folder")
    if not 0 <= args.port <= 65535:
        raise UsageError(f"--port: expected 0 to 65535, got {args.port}")
    return _serve(args.reports, args.port, args.open)


def _serve(reports: Path, port: int, opened: bool) -> int:
    import socket
    import webbrowser

    import uvicorn

    from longtrail.report.live import LiveReports

    site = LiveReports(reports)
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind(("127.0.0.1", port))
        except OSError as error:
            raise UsageError(f"--port {port}: {error.strerror}") from error
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/leaderboard.html?token={site.token}"
        print(f"{address}\nPress Ctrl-C to stop.", flush=True)
        if opened:
            webbrowser.open(address)
        config = uvicorn.Config(site.app(), log_level="warning", access_log=False, server_header=False)
        uvicorn.Server(config).run(sockets=[listening])
    return 0
