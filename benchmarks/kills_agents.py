"""Two agents for `benchmarks.kills`, which read three pages and decide: one drives a browser by CDP, one is a server.

--agent cdp:benchmarks.kills_agents:solve
python -m benchmarks.kills_agents PORT       (then --agent http://127.0.0.1:PORT)
"""

import contextlib
import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from longtrail.agents.cdp.process import AgentReport, TaskMessage

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("https://forum.test/", "https://forum.test/all", "https://forum.test/forums")
JUSTIFICATION = "I looked at three pages."


def solve(errand: TaskMessage) -> AgentReport:
    """Open the pages one after the other, then decide."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        page = driver.chromium.connect_over_cdp(errand.cdp).contexts[0].pages[0]
        for address in PAGES:
            page.goto(address, wait_until="load")
    return AgentReport(decision=errand.decisions[0], justification=JUSTIFICATION)


@dataclass
class Server:
    """The process of the agent that is a server; started again when it was killed, as a supervisor would."""

    port: int
    process: "subprocess.Popen[bytes]"

    def again(self) -> None:
        self.process.wait()
        self.process = _serve(self.port)


def _serve(port: int) -> "subprocess.Popen[bytes]":
    process = subprocess.Popen([sys.executable, "-m", "benchmarks.kills_agents", str(port)], cwd=ROOT)
    while process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return process
        time.sleep(0.05)
    raise SystemExit("the agent's server does not start")


@contextlib.contextmanager
def running_server(port: int) -> Iterator[Server]:
    server = Server(port, _serve(port))
    try:
        yield server
    finally:
        server.process.kill()
        server.process.wait()


class Answers(BaseHTTPRequestHandler):
    """The server; it needs only the request."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        said = json.dumps({"action": _action(asked)} if self.path == "/act" else {}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


def _action(asked: dict[str, Any]) -> dict[str, Any]:
    step = asked["step"]
    if step <= len(PAGES):
        return {"type": "goto", "url": PAGES[step - 1]}
    return {"type": "decide", "decision": asked["assignment"]["decisions"][0], "justification": JUSTIFICATION}


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Answers).serve_forever()
