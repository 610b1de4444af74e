"""What a try is booked with: its price, nothing if it was rejected, and what was reserved if nobody knows."""

import math
import socket
from pathlib import Path

import pytest

from longtrail.errors import HarnessTrouble, LongtrailError
from longtrail.llm.call_book import CallBook
from longtrail.llm.client import Message
from longtrail.llm.failures import RetryPolicy
from longtrail.llm.limits import Admission, CallEnd, CallLimits, CallRequest, Limiter
from longtrail.llm.litellm_client import LiteLLMClient
from longtrail.llm.mock.faults import Fault
from longtrail.llm.mock.server import MockServer
from longtrail.llm.models import facts, highest_usd_per_token
from longtrail.llm.tokens import count
from tests.llm.bench import HELLO, LONG
from tests.tables import grouped

PRICES = {"input_cost_per_token": 0.001, "output_cost_per_token": 0.002}
ONCE = RetryPolicy(retries=0, rate_limit_retries=0, timeout_retries=0, idle=2.5, token=2.0)


class Ledger(CallBook):
    """A book that also keeps what it was asked and told."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.asked: list[CallRequest] = []
        self.ends: list[CallEnd] = []

    def admit(self, call: CallRequest, owner: str = "") -> Admission:
        self.asked.append(call)
        return super().admit(call, owner)

    def end(self, ticket: int, end: CallEnd) -> None:
        self.ends.append(end)
        super().end(ticket, end)


def tried(folder: Path, server: str, model: str, messages: tuple[Message, ...] = HELLO, **args: object) -> Ledger:
    """One try that fails."""
    ledger = Ledger(folder)
    given = {"api_base": server, "api_key": "none", **PRICES, **args}
    client = LiteLLMClient(f"openai/{model}", given, patience=ONCE, limiter=Limiter(ledger))
    with pytest.raises(LongtrailError):
        client.complete(messages)
    assert len(ledger.asked) == len(ledger.ends) == 1
    assert not ledger.ends[0].succeeded
    return ledger


FAULTS = {
    "nothing": ["rate_limit", "server_error", "server_error=503", "server_error=529", "unauthorized", "overflow"],
    "what was reserved": ["server_error=502", "server_error=504", "html", "truncated_json", "reset", "stall=20"],
    "what was reserved, streamed": ["pause=20", "cut", "truncated_json", "reset"],
    "its price": ["no_choices", "no_content", "low_usage=900"],
}
"""What a try costs, and the faults with which it ends: rejected, perhaps billed, or answered uselessly."""


@pytest.mark.parametrize(("costs", "fault"), grouped(FAULTS))
def test_what_a_failed_try_costs(tmp_path: Path, server: MockServer, warm: None, costs: str, fault: str) -> None:
    args: dict[str, object] = {"stream": True} if "streamed" in costs else {"idle": 0.5} if "stall" in fault else {}
    prompt = LONG if fault.startswith("low_usage") else HELLO
    ledger = tried(tmp_path, server.url, f"scripted-careful@{fault}", prompt, **args)
    reserved = ledger.asked[0].usd
    assert reserved > 0
    if costs == "its price":
        assert 0 < ledger.spent < reserved
    else:
        assert ledger.spent == pytest.approx(0 if costs == "nothing" else reserved)
        assert (ledger.ends[0].usd is None) is (costs != "nothing")


def test_what_reached_no_server_costs_nothing(tmp_path: Path, warm: None) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        assert tried(tmp_path, f"http://127.0.0.1:{closed.getsockname()[1]}/v1", "scripted-careful").spent == 0


def test_an_answer_of_another_model_costs_its_price_and_ends_one_case_only(tmp_path: Path, warm: None) -> None:
    ledger = Ledger(tmp_path)
    with MockServer(faults=[Fault("wrong_model", "scripted-nano", 1)]) as server:
        client = LiteLLMClient("openai/scripted-careful", {"api_base": server.url, **PRICES}, limiter=Limiter(ledger))
        first = client.complete(HELLO)
        with pytest.raises(HarnessTrouble, match="'scripted-nano' to 'scripted-careful'"):
            client.complete(HELLO)
        assert client.complete(HELLO).model != first.model, "the next case is played with the model that now runs"
    assert ledger.ends[1].usd == ledger.ends[0].usd
    assert [end.succeeded for end in ledger.ends] == [True, False, True]


def test_an_answer_without_token_counts_costs_what_was_reserved(tmp_path: Path, server: MockServer, warm: None) -> None:
    ledger = Ledger(tmp_path)
    args = {"api_base": server.url, "api_key": "none", **PRICES}
    reply = LiteLLMClient("openai/scripted-careful@low_usage=0", args, limiter=Limiter(ledger)).complete(HELLO)
    assert reply.usage.usd is None, "unknown, not zero"
    assert ledger.spent == pytest.approx(ledger.asked[0].usd)


@pytest.mark.parametrize(
    ("model", "tokens", "prices"),
    [
        ("claude-sonnet-4-5", 1_000, (3.75e-6, 15e-6)),  # a cache write
        ("gemini/gemini-2.5-pro", 1_000, (2.25e-6, 18e-6)),  # priority
        ("gemini/gemini-2.5-pro", 250_000, (4.5e-6, 27e-6)),  # a long prompt
    ],
)
def test_the_highest_price_of_the_table_is_reserved(model: str, tokens: int, prices: tuple[float, float]) -> None:
    assert highest_usd_per_token(facts(model), {}, tokens) == pytest.approx(prices)
    assert highest_usd_per_token(facts(model), PRICES, tokens) == (0.001, 0.002), "the user's own prices hold"
    assert highest_usd_per_token(facts("openai/scripted-careful"), {}, tokens) is None


def test_more_tokens_are_reserved_than_ours_where_the_vocabulary_is_another(tmp_path: Path, warm: None) -> None:
    asked = {}
    picture = (Message(role="user", text=LONG[0].text, images=(b"\xff\xd8jpeg",)),)
    with MockServer(stand_in="scripted-finisher") as server:
        for model in ("gpt-4o", "openai/scripted-finisher"):
            ledger = Ledger(tmp_path)
            args = {"api_base": server.url, "api_key": "none", "vision": True, "max_tokens": 10, **PRICES}
            LiteLLMClient(model, args, limiter=Limiter(ledger)).complete(picture)
            asked[model] = (ledger.asked[0].usd - 10 * 0.002) / 0.001
    text = count(LONG[0].text, "gpt-4o")
    assert asked["gpt-4o"] == pytest.approx(text + 10 + 2_300)
    assert asked["openai/scripted-finisher"] == pytest.approx(math.ceil(1.5 * count(LONG[0].text)) + 10 + 2_300)


def test_a_budget_holds_where_every_answer_is_billed_and_none_is_of_use(tmp_path: Path, warm: None) -> None:
    book = CallBook(tmp_path, CallLimits(budget=2.5))
    with MockServer() as server:
        args = {"api_base": server.url, "api_key": "none", "first_wait": 0.001, "retries": 99, **PRICES}
        price = LiteLLMClient("openai/scripted-careful", args).complete(HELLO).usage.usd
        with pytest.raises(HarnessTrouble, match="budget is reached") as caught:
            LiteLLMClient("openai/scripted-careful@no_content", args, limiter=Limiter(book)).complete(HELLO)
        tries = len(server.requests) - 1
    assert caught.value.kind == "llm_budget"
    assert price is not None
    assert tries > 1
    assert book.spent == pytest.approx(tries * price)
    assert tries * price <= 2.5
