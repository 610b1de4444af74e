"""Limits hold for all callers together: requests, tokens, money, calls at once. Contenders take turns."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from longtrail.errors import HarnessTrouble
from longtrail.llm.call_book import CallBook
from longtrail.llm.client import Message
from longtrail.llm.limits import CallEnd, CallLimits, CallRequest, Limiter
from longtrail.llm.litellm_client import LiteLLMClient
from longtrail.llm.mock.faults import Fault
from longtrail.llm.mock.server import MockServer

HELLO = (Message(role="user", text="Hello."),)
MODEL = "openai/mine"


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


def request(who: str = "a", number: int = 0, tokens: int = 10, usd: float = 0.0, model: str = MODEL) -> CallRequest:
    return CallRequest(model, tokens, usd, who, f"{who}-{number}")


def for_a_moment() -> Callable[[], str]:
    """A function that gives, after one second, a reason to stop waiting."""
    begun: list[float] = []

    def why() -> str:
        begun.append(time.monotonic())
        return "enough" if begun[-1] - begun[0] > 1 else ""

    return why


def take(folder: Path, limits: CallLimits, tokens: int) -> int:
    """How many calls were admitted before a limit stopped them for a second."""
    limiter = Limiter(CallBook(folder, limits), for_a_moment())
    admitted = 0
    try:
        while admitted < 100:
            with limiter.admit(MODEL, tokens, 0.0):
                admitted += 1
    except HarnessTrouble as trouble:
        return admitted if trouble.kind == "cancelled" else -1
    return admitted


@pytest.mark.parametrize(
    ("limits", "tokens", "allowed"),
    [(CallLimits(rpm=7), 10, 7), (CallLimits(tpm=10_000), 3_000, 3), (CallLimits(rpm=50, tpm=1_000_000), 200_000, 5)],
    ids=["requests", "tokens", "both"],
)
def test_callers_share_a_limit(tmp_path: Path, limits: CallLimits, tokens: int, allowed: int) -> None:
    with ThreadPoolExecutor(2) as pool:
        admitted = pool.map(partial(take, limits=limits, tokens=tokens), [tmp_path] * 2)
    assert sum(admitted) == allowed


def test_a_prompt_longer_than_a_minutes_tokens_waits_for_all_of_them(tmp_path: Path) -> None:
    assert take(tmp_path, CallLimits(tpm=1_000), 50_000) == 1


def spend(folder: Path, budget: float) -> float:
    """Calls that may cost 0.30 and do cost 0.11, until there is no room for another."""
    limiter, spent = Limiter(CallBook(folder, CallLimits(budget=budget))), 0.0
    while True:
        try:
            with limiter.admit(MODEL, 1, 0.30) as bill:
                time.sleep(0.01)  # so that calls of two callers are under way together
                bill.usd = 0.11
                spent += 0.11
        except HarnessTrouble as trouble:
            return spent if trouble.kind == "llm_budget" else -1.0


def test_a_budget_is_used_up_and_never_exceeded(tmp_path: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        spent = sum(pool.map(partial(spend, budget=2.0), [tmp_path] * 2))
    assert 2.0 - 0.30 < spent <= 2.0
    assert CallBook(tmp_path).spent == pytest.approx(spent)


def test_what_was_spent_is_not_forgotten_with_its_minute(tmp_path: Path) -> None:
    clock = Clock()
    book = CallBook(tmp_path, CallLimits(budget=1.0), clock)
    for _ in range(3):
        book.end(book.admit(request(usd=0.3)).ticket, CallEnd(usd=0.25))
        clock.now += 100
    assert book.spent == pytest.approx(0.75)
    assert book.admit(request(usd=0.3)).refused
    book.begin_again()
    assert book.spent == pytest.approx(0.75)


def test_each_model_has_so_many_calls_at_once(tmp_path: Path) -> None:
    book = CallBook(tmp_path, CallLimits(concurrency=2))
    first, second, third = (book.admit(request(number=n)) for n in range(3))
    assert first.ticket
    assert second.ticket
    assert third.wait
    assert book.admit(request("b", model="openai/other")).ticket
    book.end(first.ticket, CallEnd())
    assert book.admit(request(number=2)).ticket


def test_contenders_take_turns(tmp_path: Path) -> None:
    """One contender calls with many workers, the other with one: both get the same share of each minute."""
    clock = Clock()
    book = CallBook(tmp_path, CallLimits(rpm=4), clock)
    served = {"many": 0, "one": 0}
    waiting = [request("many", number) for number in range(8)] + [request("one", 8)]
    numbers = count(9)
    for _ in range(391):
        for call in list(waiting):
            if book.admit(call).ticket:
                waiting.remove(call)
                waiting.append(request(call.contender, next(numbers)))
                served[call.contender] += 1
        clock.now += 3.1
    assert sum(served.values()) >= 70
    assert abs(served["many"] - served["one"]) <= 8, served


def test_contenders_take_turns_at_what_a_model_may_do_at_once(tmp_path: Path) -> None:
    """One calls with eight workers, the other with one. A third contender, with another model, waits for neither."""
    clock = Clock()
    book = CallBook(tmp_path, CallLimits(concurrency=1), clock)
    served = {"many": 0, "one": 0}
    waiting = [request("many", number) for number in range(8)] + [request("one", 8)]
    for number in range(9, 60):
        ticket = 0
        for call in list(waiting):
            if got := book.admit(call).ticket:
                assert not ticket, "one at once"
                ticket = got
                waiting.remove(call)
                waiting.append(request(call.contender, number))
                served[call.contender] += 1
        other = book.admit(request("third", number, model="openai/other"))
        assert other.ticket
        book.end(other.ticket, CallEnd())
        book.end(ticket, CallEnd())
        clock.now += 1.0
    assert sum(served.values()) == 51
    assert abs(served["many"] - served["one"]) <= 1, served


def test_who_stands_far_back_asks_less_often(tmp_path: Path) -> None:
    clock, waits = Clock(), []
    book = CallBook(tmp_path, CallLimits(concurrency=1), clock)
    book.admit(request())
    for number in range(1, 13):
        clock.now += 0.01
        waits.append(book.admit(request(number=number)).wait)
    assert waits[0] == pytest.approx(0.1)
    assert waits == sorted(waits)
    assert waits[-1] == 1.0


def test_a_long_prompt_is_not_overtaken_for_ever(tmp_path: Path) -> None:
    clock = Clock()
    book = CallBook(tmp_path, CallLimits(tpm=1_000), clock)
    for number in range(5):
        assert book.admit(request("short", number, tokens=150)).ticket
        clock.now += 4
    long = request("long", tokens=900)
    for number in range(5, 60):
        if book.admit(long).ticket:
            break
        book.admit(request("short", number, tokens=150))
        clock.now += 4
    else:
        pytest.fail("the long prompt was never admitted")


def test_a_server_that_limits_the_rate_gets_fewer_calls_until_it_takes_more(tmp_path: Path) -> None:
    clock = Clock()
    book = CallBook(tmp_path, clock=clock)
    tickets = [book.admit(request(number=n)).ticket for n in range(8)]
    for ticket in tickets:  # all were under way together: they count once
        book.end(ticket, CallEnd(limited=True, retry_after=20.0))
    assert book.state().slowed == ((MODEL, 4, 20.0),)
    assert book.admit(request()).wait == 1.0
    assert book.admit(request(model="openai/other")).ticket, "other models go on"
    clock.now += 20.5
    tickets = [book.admit(request("b", n)).ticket for n in range(8)]
    assert len(list(filter(None, tickets))) == 4
    for number in range(4, 34):
        book.end(max(tickets), CallEnd(succeeded=True))
        tickets = [book.admit(request("b", number)).ticket]
    assert book.state().slowed == ()


def test_workers_wait_together_for_what_one_of_them_was_told(tmp_path: Path) -> None:
    """Two clients, one answer with 429: the server gets no request before the wait is over."""
    with MockServer(faults=[Fault("rate_limit", value="1", times=1)]) as server:
        args = {"api_base": server.url}
        clients = [LiteLLMClient("openai/scripted-finisher", args, limiter=Limiter(CallBook(tmp_path))) for _ in "ab"]
        clients[0].complete(HELLO)
        first, *rest = [request.at for request in server.requests]
        assert len(rest) == 1
        assert rest[0] - first >= 1.0
        book = CallBook(tmp_path)
        book.end(book.admit(request(model="openai/scripted-finisher")).ticket, CallEnd(limited=True, retry_after=1.0))
        limited_at = time.monotonic()
        threads = [threading.Thread(target=client.complete, args=(HELLO,)) for client in clients]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert min(request.at for request in server.requests[2:]) - limited_at >= 0.9


@pytest.mark.parametrize("fault", ["rate_limit=300", "server_error=500"])
def test_a_run_that_ends_waits_for_no_further_try(tmp_path: Path, fault: str) -> None:
    with MockServer() as server:
        limiter = Limiter(CallBook(tmp_path), lambda: "enough" if server.requests else "")
        args = {"api_base": server.url, "first_wait": 300, "longest_wait": 300}
        start = time.monotonic()
        with pytest.raises(HarnessTrouble, match="enough") as caught:
            LiteLLMClient(f"openai/scripted-finisher@{fault}", args, limiter=limiter).complete(HELLO)
    assert caught.value.kind == "cancelled"
    assert len(server.requests) == 1
    assert time.monotonic() - start < 150


def test_the_client_asks_for_every_try(tmp_path: Path) -> None:
    """Three tries, one answer: three requests counted, one of them paid."""
    book = CallBook(tmp_path, CallLimits(rpm=10, budget=100.0))
    with MockServer() as server:
        args = {
            "api_base": server.url,
            "first_wait": 0.01,
            "input_cost_per_token": 0.001,
            "output_cost_per_token": 2e-3,
        }
        client = LiteLLMClient("openai/scripted-finisher@server_error=500:2", args, limiter=Limiter(book))
        usage = client.complete(HELLO).usage
        assert len(server.requests) == 3
    assert book.state().requests == 3
    assert usage.usd == pytest.approx(0.001 * usage.prompt_tokens + 0.002 * usage.completion_tokens)
    assert book.spent == pytest.approx(usage.usd)
