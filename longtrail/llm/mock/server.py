"""The mock model server: OpenAI's chat-completions protocol on loopback, answered by the scripted models; also
Anthropic's messages.

It can simulate faults (`MockServer(faults=[...])`, or by a model's name: `scripted-careful@rate_limit=2:1`), and it
stores every request in `requests`. `longtrail mock-model` is `serve`.
"""

import contextlib
import hashlib
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

from longtrail.errors import UsageError
from longtrail.llm.mock.answer import (
    CREATED,
    MESSAGES_PATH,
    apply_fault,
    as_anthropic_message,
    as_chat,
    completion,
    events,
    scripted_answer,
)
from longtrail.llm.mock.faults import ERRORS, Fault, from_model
from longtrail.llm.mock.prompt_reading import plain
from longtrail.llm.mock.scripted_model import MODELS, ScriptedAnswer
from longtrail.llm.server_errors import server_errors
from longtrail.llm.tokens import count

MAX_BODY = 50_000_000
"""Longest request that is read, in bytes."""
UNENDED = ("stall", "trickle", "pause", "drip", "reset")
"""Faults after which an answer never ends."""
WHOLE = {"pause": "stall", "drip": "trickle", "cut": "reset"}
"""What faults of streamed answers are if the answer is sent as a whole."""
_BLOCK = 1024
"""Characters per block of the simulated prompt cache."""


@dataclass(frozen=True, slots=True)
class RecordedRequest:
    """One request to the chat endpoint."""

    model: str
    body: dict[str, Any]
    fault: str = ""
    at: float = 0.0
    """time.monotonic() at its arrival."""


AnswerRequest = Callable[[str, dict[str, Any]], ScriptedAnswer]
"""From the model's name and the request's body. Raises KeyError for an unknown model."""


class MockServer:
    """A running server. `url` is the value for `api_base`. Close it, or use it as a context manager."""

    def __init__(
        self,
        port: int = 0,
        faults: Iterable[Fault] = (),
        stand_in: str = "",
        latency: float = 0.0,
        answer: AnswerRequest = scripted_answer,
    ) -> None:
        """`stand_in` is the scripted model that answers for names that are none of them; without, they are unknown.
        `latency`: seconds before each answer, as a model takes them. `answer`: for other forms of answers."""
        self.answer = answer
        self.latency = latency
        self.requests: list[RecordedRequest] = []
        self.closing = threading.Event()
        self.sample: tuple[int, dict[str, str], dict[str, Any]] | None = None
        """A sample of data/server_errors.yaml that answers every request, whatever its address and form."""
        self._stand_in = stand_in
        self._faults = [(fault, fault.times) for fault in faults]
        self._played: dict[str, int] = {}
        self._cached: set[bytes] = set()
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"owner": self})
        try:
            self._http = _Server(("127.0.0.1", port), handler)
        except OSError as error:
            raise UsageError(f"port {port} on 127.0.0.1 can't be used: {error.strerror}") from error
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()

    def __enter__(self) -> "MockServer":
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop serving; stalled answers end at once."""
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def wait(self) -> None:
        """Block until the server's thread ends."""
        self._thread.join()

    def forget(self) -> None:
        """Restart the faults that models' names ask for."""
        with self._lock:
            self._played.clear()

    def take(self, body: dict[str, Any]) -> tuple[str, Fault | None]:
        """Store a request. Returns its scripted model and the fault to simulate."""
        model_name = str(body.get("model", ""))
        model, model_fault = from_model(model_name)
        with self._lock:
            fault = self._due(model_name, model_fault)
            self.requests.append(RecordedRequest(model_name, body, fault.kind if fault else "", time.monotonic()))
        return model if model in MODELS else self._stand_in or model, fault

    def cached_tokens(self, text: str, tokens: int) -> int:
        """Tokens of a prompt that a provider would have had in its cache: whole blocks seen before, from the start."""
        digest, cached, hit = hashlib.sha256(), 0, True
        with self._lock:
            for start in range(0, len(text) - _BLOCK, _BLOCK):
                digest.update(text[start : start + _BLOCK].encode("utf-8", "replace"))
                mark = digest.digest()
                hit = hit and mark in self._cached
                cached += hit
                self._cached.add(mark)
        return int(tokens * cached * _BLOCK / max(1, len(text))) // 128 * 128

    def _due(self, model_name: str, model_fault: Fault | None) -> Fault | None:
        """The next fault: of the server first, then of the model's name."""
        while self._faults:
            fault, left = self._faults[0]
            if left == 0:
                self._faults.pop(0)
                continue
            self._faults[0] = (fault, None if left is None else left - 1)
            return fault
        played = self._played.get(model_name, 0)
        if model_fault is None or (model_fault.times is not None and played >= model_fault.times):
            return None
        self._played[model_name] = played + 1
        return model_fault


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore disconnected clients."""


class _Handler(BaseHTTPRequestHandler):
    owner: ClassVar[MockServer]
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server_version = "longtrail-mock"
    timeout = 120

    def log_message(self, format: str, *args: object) -> None:
        """Requests are kept in `MockServer.requests`."""

    def do_GET(self) -> None:
        if self.path.rstrip("/") != "/v1/models":
            return self._error(404, "No such path.", "not_found")
        data = [{"id": name, "object": "model", "created": CREATED, "owned_by": "longtrail"} for name in MODELS]
        return self._json(200, {"object": "list", "data": data})

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if self.owner.sample is not None and length.isdecimal():
            self.rfile.read(min(int(length), MAX_BODY))
            status, headers, sample = self.owner.sample
            return self._json(status, sample, headers)
        path = self.path.rstrip("/")
        if path not in ("/v1/chat/completions", MESSAGES_PATH):
            return self._error(404, "No such path.", "not_found")
        if not length.isdecimal() or int(length) > MAX_BODY:
            return self._error(413, "A body of known and moderate length is needed.", "invalid_request")
        try:
            body = json.loads(self.rfile.read(int(length)))
            body = as_chat(body) if path == MESSAGES_PATH else body
            model, fault = self.owner.take(body)
            scripted = self.owner.answer(model, body)
        except UsageError as error:
            return self._error(404, str(error), "model_not_found")
        except (ValueError, TypeError, AttributeError):
            return self._error(400, "The body is no chat request.", "invalid_request")
        except KeyError as error:
            return self._error(404, f"There is no {error}; models are {', '.join(MODELS)}.", "model_not_found")
        return self._answer(body, scripted, fault)

    def _answer(self, body: dict[str, Any], scripted: ScriptedAnswer, fault: Fault | None) -> None:
        """Send the answer as a whole or as events, as requested, with the fault."""
        prompt = "\n".join(plain(message.get("content")) for message in body["messages"])
        tokens = count(prompt) + 4 * len(body["messages"])
        reply = completion(body, scripted, tokens, self.owner.cached_tokens(prompt, tokens))
        kind: str = fault.kind if fault else ""
        self.owner.closing.wait(self.owner.latency)
        if fault and (sample := server_errors().sample(fault.value)):
            status, headers, error = sample
            return self._json(status, error, headers)
        if fault and kind in ERRORS:
            return self._refuse(kind, fault.value)
        if kind == "html":
            return self._send(200, b"<html><body><h1>Bad gateway</h1></body></html>", "text/html")
        if fault:
            apply_fault(fault, reply)
        if streamed := bool(body.get("stream")):
            parts, form = events(reply, body), "text/event-stream"
        else:
            kind = WHOLE.get(kind, kind)
            reply = as_anthropic_message(reply) if self.path.rstrip("/") == MESSAGES_PATH else reply
            parts, form = [json.dumps(reply).encode()], "application/json"
        some = parts[: max(2, len(parts) // 2)] if streamed else [parts[0][: len(parts[0]) // 2]]
        if kind not in UNENDED:
            sent = b"".join(some if kind in ("cut", "truncated_json") else parts)
            return self._send(200, sent[:-20] if kind == "truncated_json" else sent, form)
        if kind != "stall":
            self.wfile.write(f"HTTP/1.1 200 OK\r\nContent-Type: {form}\r\nContent-Length: 9000000\r\n\r\n".encode())
        if kind in ("pause", "drip", "reset"):
            self.wfile.write(b"".join(some))
        if kind == "reset":
            return self._break_off()
        again = {"trickle": b" ", "drip": some[-1]}.get(kind, b"")
        return self._keep_waiting(float(fault.value or 60) if fault else 60, again)

    def _refuse(self, kind: str, value: str) -> None:
        status, code, message = ERRORS[kind]
        headers = {}
        if kind == "unauthorized":  # as real servers do, it repeats the key
            message += " You sent: " + self.headers.get("Authorization", "nothing").removeprefix("Bearer ")
        elif kind == "bad_request":
            message = value or message
        elif kind == "server_error":
            status = int(value or status)
        elif kind == "rate_limit" and value:
            headers = {"retry-after-ms": value[3:]} if value.startswith("ms=") else {"Retry-After": value}
        self._error(status, message, code, headers)

    def _keep_waiting(self, seconds: float, again: bytes) -> None:
        """For this many seconds, or until the server closes, send the same bytes every 50 ms, or none."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self.owner.closing.wait(0.05 if again else seconds):
            self.wfile.write(again)
        self.close_connection = True

    def _break_off(self) -> None:
        """Reset the connection."""
        self.wfile.flush()
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def _error(self, status: int, message: str, code: str, headers: dict[str, str] | None = None) -> None:
        kind = "server_error" if status >= 500 else "invalid_request_error"
        self._json(status, {"error": {"message": message, "type": kind, "param": None, "code": code}}, headers)

    def _json(self, status: int, value: Any, headers: dict[str, str] | None = None) -> None:
        self._send(status, json.dumps(value).encode(), headers=headers)

    def _send(
        self, status: int, body: bytes, kind: str = "application/json", headers: dict[str, str] | None = None
    ) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def serve(
    port: int = 0,
    say: Callable[[str], object] = print,
    answer: AnswerRequest = scripted_answer,
    faults: Iterable[Fault] = (),
) -> None:
    """Serve until interrupted; prints two lines on how to use it."""
    with MockServer(port, faults, answer=answer) as server, contextlib.suppress(KeyboardInterrupt):
        say(f"The scripted models answer at {server.url} ({', '.join(MODELS)}). Press Ctrl-C to stop. To try it:")
        model = f"--model openai/scripted-careful --model-arg api_base={server.url}"
        say(f"OPENAI_API_KEY=none pytest evals --sample 3 {model}")
        server.wait()
