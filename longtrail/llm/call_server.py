"""Call server: one process makes the model calls of all workers of a session, so that only it imports litellm.

For each call, a worker connects to it on this machine, sends a line of JSON (`ServedCall`) and reads one
(`CallAnswer`). Retries, limits and budget are those of the server's process. A worker that ends, or gives a call up,
closes the connection: its call ends, too, and counts as spent. If the server ends, the call is trouble of the harness.
"""

import hmac
import secrets
import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Any

from pydantic import ValidationError

from longtrail.errors import CredentialsError, HarnessTrouble, UsageError
from longtrail.llm.chat_format import ServerTraits
from longtrail.llm.client import Message, Reply
from longtrail.llm.failures import exception_of
from longtrail.llm.limits import LONGEST, CallLimits, Limiter
from longtrail.llm.litellm_client import LiteLLMClient
from longtrail.llm.secrets import redact
from longtrail.llm.server_errors import FailureKind
from longtrail.records.record import Record

HOST = "127.0.0.1"
_GONE = "the process that makes this session's model calls has ended"


class ServedCall(Record):
    """A call that a worker asks for. Without messages, the server only prepares for calls."""

    token: str
    worker: str
    folder: Path
    """The run's folder."""
    limits: CallLimits
    contender: str
    model: str
    args: dict[str, Any]
    messages: tuple[Message, ...] = ()
    max_tokens: int = 1024
    as_json: bool = False


class CallAnswer(Record):
    """The reply, or why there is none."""

    reply: Reply | None = None
    failure: FailureKind | None = None
    message: str = ""

    @classmethod
    def of_error(cls, error: Exception) -> "CallAnswer":
        """For an exception of the model client."""
        if isinstance(error, HarnessTrouble):
            return cls(failure=error.kind, message=error.message)
        if isinstance(error, UsageError):
            return cls(failure="credentials" if isinstance(error, CredentialsError) else "usage", message=str(error))
        return cls(failure="harness_bug", message=redact(f"{type(error).__name__}: {error}"))


class CallServer:
    """The server, until `close`. `address` is for the session's workers only: it contains a token."""

    def __init__(self, limiter: Callable[[Path, CallLimits], Limiter]) -> None:
        """`limiter` gives the limits of the run in a folder."""
        self._limiter_of, self._token = limiter, secrets.token_hex(16)
        self._limiters: dict[Path, Limiter] = {}
        self._traits: dict[tuple[str, str], ServerTraits] = {}
        """What the worker and the model -> the model's server has shown in calls of this worker."""
        self._lock = threading.Lock()
        self._server = _Server((HOST, 0), _Handler)
        self._server.answer = self._answer
        self.address = f"{self._server.server_address[1]}:{self._token}"
        threading.Thread(target=self._server.serve_forever, args=(0.1,), name="longtrail-calls", daemon=True).start()

    def close(self) -> None:
        """Take no further call."""
        self._server.shutdown()
        self._server.server_close()

    def _answer(self, line: bytes, caller_gone: Callable[[], bool]) -> CallAnswer | None:
        """The answer to a line; None if it is not of this session's workers."""
        try:
            call = ServedCall.model_validate_json(line)
        except ValidationError:
            return None
        if not hmac.compare_digest(call.token, self._token):
            return None
        try:
            client = self._client(call, caller_gone)
            if not call.messages:
                with self._lock:
                    client.prepare()
                return CallAnswer()
            return CallAnswer(reply=client.complete(call.messages, max_tokens=call.max_tokens, json=call.as_json))
        except Exception as error:  # noqa: BLE001 (the worker raises it again)
            return CallAnswer.of_error(error)

    def _client(self, call: ServedCall, caller_gone: Callable[[], bool]) -> LiteLLMClient:
        with self._lock:
            if call.folder not in self._limiters:
                self._limiters[call.folder] = self._limiter_of(call.folder, call.limits)
            limiter = self._limiters[call.folder]
            traits = self._traits.setdefault((call.worker, call.model), ServerTraits())

        def stop_reason() -> str:
            return limiter.stop_reason() or ("the worker that made the call is gone" if caller_gone() else "")

        mine = replace(limiter, stop_reason=stop_reason, contender=call.contender)
        return LiteLLMClient(call.model, call.args, limiter=mine, traits=traits)


class _Server(ThreadingTCPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128
    answer: Callable[[bytes, Callable[[], bool]], CallAnswer | None]


class _Handler(StreamRequestHandler):
    server: _Server
    disable_nagle_algorithm = True

    def handle(self) -> None:
        """Read the call, make it, write the answer."""
        with suppress(OSError):  # the worker is gone
            if answer := self.server.answer(self.rfile.readline(), self._caller_gone):
                self.wfile.write(answer.model_dump_json().encode() + b"\n")

    def _caller_gone(self) -> bool:
        """Whether the worker has closed the connection: it sends nothing after its call."""
        self.connection.setblocking(False)
        try:
            return not self.connection.recv(1, socket.MSG_PEEK)
        except BlockingIOError:
            return False
        except OSError:
            return True
        finally:
            self.connection.setblocking(True)


@dataclass
class ServedCalls:
    """The model calls of one worker, made by the session's call server. See `ModelCalls`."""

    address: str
    """The server's."""
    worker: str
    folder: Path
    limits: CallLimits
    contender: str = ""

    def client(self, model: str, args: Mapping[str, Any]) -> "ServedClient":
        """See `ModelCalls`."""
        return ServedClient(self, model, dict(args))


class ServedClient:
    """A model whose calls are made by the session's call server, for any number of threads."""

    def __init__(self, calls: ServedCalls, model: str, args: dict[str, Any]) -> None:
        self._calls, self._args = calls, args
        described = LiteLLMClient(model, args)  # checks the arguments; it makes no call
        self.name, self.vision = described.name, described.vision

    def prepare(self) -> None:
        """Let the server import what calls need. It takes seconds, which are no part of an episode's time."""
        self._ask()

    def complete(self, messages: tuple[Message, ...], *, max_tokens: int = 1024, json: bool = False) -> Reply:
        """One completion. Raises what `LiteLLMClient.complete` raises, and HarnessTrouble if the server is gone."""
        reply = self._ask(messages=messages, max_tokens=max_tokens, as_json=json).reply
        assert reply is not None
        return reply

    def _ask(self, **what: Any) -> CallAnswer:
        calls, (port, _, token) = self._calls, self._calls.address.partition(":")
        call = ServedCall(
            token=token,
            worker=calls.worker,
            folder=calls.folder,
            limits=calls.limits,
            contender=calls.contender,
            model=self.name,
            args=self._args,
            **what,
        )
        try:
            with socket.create_connection((HOST, int(port))) as connection:
                connection.sendall(call.model_dump_json().encode() + b"\n")
                line = _read_line(connection)
        except OSError as error:
            raise HarnessTrouble("llm_network", f"{_GONE}: {error}") from error
        if not line.endswith(b"\n"):
            raise HarnessTrouble("llm_network", _GONE)
        answer = CallAnswer.model_validate_json(line)
        if answer.failure is not None:
            raise exception_of(answer.failure, answer.message)
        return answer


def _read_line(connection: socket.socket) -> bytes:
    """All that the server sends. It wakes up now and then: a thread that waits outside of Python can't be ended."""
    connection.settimeout(LONGEST)
    parts: list[bytes] = []
    while True:
        with suppress(TimeoutError):
            parts.append(connection.recv(1 << 16))
            if not parts[-1]:
                return b"".join(parts)
