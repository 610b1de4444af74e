"""An HTTP agent for a container without network: it listens on a socket file, and needs only Python's standard
library.

python3 agent.py /door/agent.sock
"""

import json
import re
import socketserver
import sys
from http.server import BaseHTTPRequestHandler
from typing import Any

MOST_CLICKS = 4
LINK = re.compile(r'\[(\d+)\] link "([^"]+)"')


def words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{4,}|\d+", text.lower()))


def act(message: dict[str, Any]) -> dict[str, Any]:
    """Click the link that shares most words with the task, a few times; then decide."""
    assignment, page = message["assignment"], message["observation"]
    wanted = words(assignment["prompt"])
    links = [(len(words(name) & wanted), number, name) for number, name in LINK.findall(page["text"])]
    _, number, name = max(links, default=(0, "", ""), key=lambda link: link[0])
    if number and message["step"] <= MOST_CLICKS:
        return {"action": {"type": "click", "id": number}, "thought": f"{name!r} fits the task."}
    line = max(page["text"].splitlines(), key=lambda each: len(words(each) & wanted), default="").strip()[:300]
    if not assignment["decisions"]:
        return {"action": {"type": "finish", "answer": line}}
    evidence = [{"source": page["url"], "quote": line}]
    return {
        "action": {
            "type": "decide",
            "decision": assignment["decisions"][0],
            "justification": f"On {page['url']} it says: {line}",
            "evidence": evidence,
        }
    }


class Handler(BaseHTTPRequestHandler):
    """POST /act and POST /observe."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        said = json.dumps(act(message) if self.path == "/act" else {}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def address_string(self) -> str:
        return "the harness"

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""


class Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True


if __name__ == "__main__":
    with Server(sys.argv[1], Handler) as server:
        print("ready", flush=True)
        server.serve_forever()
