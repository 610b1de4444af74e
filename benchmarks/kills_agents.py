"""Two agents for `benchmarks.kills`, which read three pages and decide: one drives a browser by CDP, one is a server.

--agent cdp:benchmarks.kills_agents:solve
python -m benchmarks.kills_agents PORT       (then --agent http://127.0.0.1:PORT)
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from longtrail.agents.cdp import AgentReport, TaskMessage

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
