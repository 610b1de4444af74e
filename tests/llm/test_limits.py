"""Limits hold for several processes together: requests, tokens, money."""

import multiprocessing
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from longtrail.errors import HarnessTrouble
from longtrail.llm.client import Message
from longtrail.llm.limits import LEDGER, CallLimits, Limiter, SpendLedger
from longtrail.llm.litellm_client import LiteLLMClient
from longtrail.llm.mock.server import MockServer

SPAWN = multiprocessing.get_context("spawn")
HELLO = (Message(role="user", text="Hello."),)


def for_a_moment() -> Callable[[], str]:
    """Waiting makes no sense after a second of it."""
    begun: list[float] = []

    def why() -> str:
        begun.append(time.monotonic())
        return "enough" if begun[-1] - begun[0] > 1 else ""

    return why


def take(folder: str, limits: CallLimits, tokens: int) -> int:
    """How many tries were admitted before a limit held them up for a second."""
    limiter = Limiter(Path(folder), limits, for_a_moment())
    admitted = 0
    try:
        while admitted < 100:
            with limiter.admit(tokens, 0.0):
                admitted += 1
    except HarnessTrouble as trouble:
        return admitted if trouble.kind == "cancelled" else -1
    return admitted


@pytest.mark.parametrize(
    ("limits", "tokens", "allowed"),
    [(CallLimits(rpm=7), 10, 7), (CallLimits(tpm=10_000), 3_000, 3), (CallLimits(rpm=50, tpm=1_000_000), 200_000, 5)],
    ids=["requests", "tokens", "both"],
)
def test_processes_share_a_limit(tmp_path: Path, limits: CallLimits, tokens: int, allowed: int) -> None:
    with SPAWN.Pool(2) as pool:
        admitted = pool.starmap(take, [(str(tmp_path), limits, tokens)] * 2)
    assert sum(admitted) == allowed


def test_a_prompt_longer_than_a_minutes_tokens_waits_for_all_of_them(tmp_path: Path) -> None:
    assert take(str(tmp_path), CallLimits(tpm=1_000), 50_000) == 1


def spend(folder: str, budget: float) -> float:
    """Calls that may cost 0.30 and do cost 0.11, until there is no room for another."""
    limiter, spent = Limiter(Path(folder), CallLimits(budget=budget)), 0.0
    while True:
        try:
            with limiter.admit(1, 0.30) as bill:
                time.sleep(0.01)  # so that calls of two processes are under way together
                bill.usd = 0.11
                spent += 0.11
        except HarnessTrouble as trouble:
            return spent if trouble.kind == "llm_budget" else -1.0


def test_a_budget_is_used_up_and_never_exceeded(tmp_path: Path) -> None:
    with SPAWN.Pool(2) as pool:
        spent = sum(pool.starmap(spend, [(str(tmp_path), 2.0)] * 2))
    assert 2.0 - 0.30 < spent <= 2.0
    assert SpendLedger(tmp_path / LEDGER).spent == pytest.approx(spent)


def test_what_a_killed_worker_had_set_aside_counts_as_spent(tmp_path: Path) -> None:
    ledger = SpendLedger(tmp_path / LEDGER)
    worker = SPAWN.Process(target=SpendLedger.reserve, args=(ledger, 0.7, 1.0))
    worker.start()
    worker.join()
    assert ledger.reserve(0.4, 1.0) is None
    assert ledger.reserve(0.2, 1.0) is not None
    assert ledger.spent == pytest.approx(0.7)


def test_a_call_of_unknown_price_counts_as_its_worst(tmp_path: Path) -> None:
    limiter = Limiter(tmp_path, CallLimits(budget=1.0))
    with limiter.admit(1, 0.6) as bill:
        assert bill.usd is None
    assert SpendLedger(tmp_path / LEDGER).spent == pytest.approx(0.6)


def test_the_client_asks_for_every_try(tmp_path: Path) -> None:
    """Three tries, one answer: three requests counted, one of them paid."""
    limiter = Limiter(tmp_path, CallLimits(rpm=10, budget=100.0))
    with MockServer() as server:
        args = {
            "api_base": server.url,
            "first_wait": 0.01,
            "input_cost_per_token": 0.001,
            "output_cost_per_token": 2e-3,
        }
        client = LiteLLMClient("openai/scripted-finisher@server_error=500:2", args, limiter=limiter)
        usage = client.complete(HELLO).usage
        assert len(server.requests) == 3
    with closing(sqlite3.connect(tmp_path / "rates.sqlite")) as db:
        assert db.execute("SELECT COUNT(*) FROM requests").fetchone() == (3,)
    assert usage.usd == pytest.approx(0.001 * usage.prompt_tokens + 0.002 * usage.completion_tokens)
    assert SpendLedger(tmp_path / LEDGER).spent == pytest.approx(usage.usd)
