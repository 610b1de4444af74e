"""The call server: workers get the same replies and errors as from a client of their own; a worker's end ends its
call."""

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from longtrail.errors import CredentialsError, HarnessTrouble, UsageError
from longtrail.llm.call_book import CallBook
from longtrail.llm.call_server import HOST, CallServer, ServedCall, ServedCalls
from longtrail.llm.client import Message, Reply
from longtrail.llm.limits import CallLimits, Limiter
from tests.llm.bench import CANARY, HELLO, Bench
from tests.pytest_plugin.pytest_process import ROOT, environment

PRICES = {"input_cost_per_token": 1e-4, "output_cost_per_token": 1e-5}
PICTURE = (Message(role="user", text="hello there", images=(b"\xff\xd8\x00a picture",)),)
DYING = """
import sys, time
from pathlib import Path
from longtrail.llm.call_book import CallBook
from longtrail.llm.call_server import CallServer
from longtrail.llm.limits import Limiter

print(CallServer(lambda folder, limits: Limiter(CallBook(folder, limits))).address, flush=True)
sys.stdin.read()
"""


@pytest.fixture
def served(bench: Bench, tmp_path: Path) -> Iterator[ServedCalls]:
    """The calls of a worker, in a run without limits."""
    server = CallServer(lambda folder, limits: Limiter(CallBook(folder, limits)))
    yield ServedCalls(server.address, "gw0", tmp_path, CallLimits())
    server.close()


def arguments(bench: Bench, **more: Any) -> dict[str, Any]:
    return {"api_base": bench.server.url, "api_key": CANARY, "first_wait": 0.01, **more}


def without_times(reply: Reply) -> dict[str, Any]:
    """What does not depend on the calls before, either."""
    return reply.model_dump(exclude={"seconds": True, "usage": {"cached_tokens"}})


def test_a_reply_is_that_of_a_client(bench: Bench, served: ServedCalls) -> None:
    client = served.client("openai/scripted-careful", arguments(bench, vision=True))
    client.prepare()
    reply = client.complete(PICTURE, max_tokens=77, json=True)
    ours = bench.server.requests[-1].body
    direct = bench.client(args={"vision": True}).complete(PICTURE, max_tokens=77, json=True)
    assert without_times(reply) == without_times(direct)
    assert ours == bench.server.requests[-1].body
    assert (client.name, client.vision) == ("openai/scripted-careful", True)


@pytest.mark.parametrize(
    ("fault", "error", "words"),
    [
        ("unauthorized", CredentialsError, "key"),
        ("overflow", HarnessTrouble, "llm_context_overflow"),
        ("server_error=500", HarnessTrouble, "llm_server"),
    ],
)
def test_an_error_is_that_of_a_client(
    bench: Bench, served: ServedCalls, fault: str, error: type[Exception], words: str
) -> None:
    client = served.client(f"openai/scripted-careful@{fault}", arguments(bench, retries=1))
    with pytest.raises(error, match=words) as caught:
        client.complete(HELLO)
    assert type(caught.value) is error
    assert CANARY not in str(caught.value)
    with pytest.raises(UsageError, match="vision=true"):
        served.client("openai/scripted-careful", arguments(bench)).complete(PICTURE)


def test_what_a_model_s_server_has_shown_is_kept_for_each_worker(bench: Bench, served: ServedCalls) -> None:
    """A server that begins to run another model: the worker that has called it is told, others begin with it."""
    model, args = "openai/scripted-careful@wrong_model=scripted-nano:1", arguments(bench, retries=0)
    bench.server.forget()
    client = served.client(model, args)
    assert client.complete(HELLO).model
    with pytest.raises(HarnessTrouble, match="changed the model it runs"):
        client.complete(HELLO)
    served.worker = "gw1"
    assert client.complete(HELLO).model


def test_only_who_knows_the_token_can_call(bench: Bench, served: ServedCalls) -> None:
    before = len(bench.server.requests)
    served.address = served.address[:-1] + "?"
    with pytest.raises(HarnessTrouble, match="has ended"):
        served.client("openai/scripted-careful", arguments(bench)).complete(HELLO)
    assert len(bench.server.requests) == before


def test_a_worker_that_ends_leaves_its_place_to_others(bench: Bench, served: ServedCalls, tmp_path: Path) -> None:
    """The system closes the connection of a killed process. Its call is under way, and may be billed."""
    port, _, token = served.address.partition(":")
    model, args = "openai/scripted-careful@stall=120:1", arguments(bench, **PRICES)
    call = ServedCall(
        token=token,
        worker="gw1",
        folder=tmp_path,
        limits=CallLimits(concurrency=1, budget=1.0),
        contender="",
        model=model,
        args=args,
        messages=HELLO,
    )
    bench.server.forget()
    before = len(bench.server.requests)
    with socket.create_connection((HOST, int(port))) as worker:
        worker.sendall(call.model_dump_json().encode() + b"\n")
        while len(bench.server.requests) == before:
            time.sleep(0.01)
    assert served.client(model, args).complete(HELLO, max_tokens=1).text
    assert 1024 * PRICES["output_cost_per_token"] < CallBook(tmp_path).spent < 0.1


def test_the_end_of_the_server_is_the_harness_s_trouble(bench: Bench, tmp_path: Path) -> None:
    command = [sys.executable, "-c", DYING]
    with subprocess.Popen(command, stdin=-1, stdout=-1, text=True, cwd=ROOT, env=environment()) as server:
        assert server.stdout is not None
        served = ServedCalls(server.stdout.readline().strip(), "gw0", tmp_path, CallLimits())
        client = served.client("openai/scripted-careful@stall=120", arguments(bench))
        threading.Timer(0.5, server.kill).start()
        for _ in "ab":  # while it answers, and when it is gone
            with pytest.raises(HarnessTrouble, match="has ended") as caught:
                client.complete(HELLO)
            assert caught.value.kind == "llm_network"
