"""The fault matrix: how a model server fails, through real litellm over real HTTP, with requests counted."""

import base64
import logging
import socket
import traceback
import urllib.parse
from typing import Any

import pytest

from longtrail.errors import CredentialsError, HarnessTrouble, UsageError
from longtrail.llm.chat_format import CACHE_MARK_FROM, chat_message
from longtrail.llm.client import Message
from longtrail.llm.litellm_client import LiteLLMClient
from longtrail.llm.mock.server import MockServer
from tests.llm.bench import CANARY, FEW, HELLO, LONG, Bench
from tests.tables import tables_of

TABLES = tables_of(__file__)


def faults(kind: str) -> list[Any]:
    """The rows of a table."""
    slow = TABLES["slow"]
    return [pytest.param(*row, marks=[pytest.mark.slow] if row[0] in slow else []) for row in TABLES[kind]]


def test_a_reply_carries_text_usage_and_model(bench: Bench) -> None:
    reply = bench.ask("scripted-careful")
    assert '"action"' in reply.text
    assert reply.model == "scripted-careful"
    assert reply.finish_reason == "stop"
    assert reply.usage.calls == 1
    assert reply.usage.prompt_tokens > 0
    assert reply.usage.completion_tokens > 0
    assert reply.usage.usd is None, "nobody knows this model's price: unknown, not zero"
    assert 0 < reply.seconds < 60
    assert (bench.requests, bench.waits) == (1, [])


def test_cached_tokens_are_reported(bench: Bench) -> None:
    bench.ask("scripted-finisher", LONG)
    reply = bench.ask("scripted-finisher", LONG)
    assert 0 < reply.usage.cached_tokens <= reply.usage.prompt_tokens


@pytest.mark.parametrize(("fault", "requests", "waits"), faults("pass"))
def test_what_passes_is_tried_again(bench: Bench, fault: str, requests: int, waits: list[float]) -> None:
    clean, reply = bench.ask("scripted-careful"), bench.ask(f"scripted-careful@{fault}")
    assert (bench.requests, bench.waits) == (requests, waits)
    changing = {"seconds", "model"}
    assert reply.model_dump(exclude=changing) == clean.model_dump(exclude=changing), "also what it costs"


@pytest.mark.parametrize(("fault", "kind", "requests"), faults("last"))
def test_what_lasts_is_the_harness_s_trouble(bench: Bench, fault: str, kind: str, requests: int) -> None:
    with pytest.raises(HarnessTrouble) as caught:
        bench.ask(f"scripted-careful@{fault}")
    assert caught.value.kind == kind
    assert "scripted-careful" in caught.value.message
    assert bench.requests == requests


@pytest.mark.parametrize("fault", ["unauthorized", "forbidden"])
def test_a_refused_key_ends_the_run_at_once(bench: Bench, fault: str) -> None:
    with pytest.raises(CredentialsError) as caught:
        bench.ask(f"scripted-careful@{fault}")
    assert "\n" not in str(caught.value)
    assert (bench.requests, bench.waits) == (1, [])


def test_a_model_that_its_server_does_not_know_is_the_user_s_matter(bench: Bench) -> None:
    with pytest.raises(
        UsageError, match=r"does not know this model \(HTTP 404 at http://127.0.0.1:\d+/v1/chat/completions\)"
    ):
        bench.ask("no-such-model")
    assert bench.requests == 1


def test_a_model_that_takes_no_temperature_says_what_to_do(bench: Bench) -> None:
    refusal = "Unsupported value, 'temperature' does not support 0.0 with this model."
    with pytest.raises(UsageError, match=r"does not take a parameter .*say --model-arg temperature=none") as caught:
        bench.ask(f"scripted-careful@bad_request={refusal}")
    assert "\n" not in str(caught.value)
    assert (bench.requests, bench.waits) == (1, [])


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        ("scripted-refuser", "refusal"),
        ("scripted-careful@content_filter", "refusal"),
        ("scripted-careful@length", "length"),
    ],
)
def test_what_the_model_did_is_no_trouble(bench: Bench, model: str, reason: str) -> None:
    reply = bench.ask(model)
    assert reply.finish_reason == reason
    assert (bench.requests, bench.waits) == (1, [])


def test_a_prompt_that_was_cut_is_noticed(bench: Bench) -> None:
    with pytest.raises(HarnessTrouble, match="cut the prompt") as caught:
        bench.ask("scripted-careful@low_usage=900", LONG)
    assert caught.value.kind == "llm_truncated"
    assert bench.requests == 1
    assert bench.ask("scripted-careful@low_usage=3000", LONG).usage.prompt_tokens == 3_000


@pytest.mark.parametrize("host", ["127.0.0.1:{port}", "no-such-host.invalid"])
def test_a_server_that_is_not_there(bench: Bench, host: str) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = host.format(port=closed.getsockname()[1])
        with pytest.raises(HarnessTrouble) as caught:
            bench.client(args={"api_base": f"http://{address}/v1"}).complete(HELLO)
    assert caught.value.kind == "llm_network"
    assert bench.waits == [1.0, 2.0]


def test_a_server_without_tls(bench: Bench) -> None:
    with pytest.raises(HarnessTrouble) as caught:
        bench.client(args={"api_base": bench.server.url.replace("http:", "https:")}).complete(HELLO)
    assert caught.value.kind == "llm_network"


def test_the_request_is_what_was_asked_and_nothing_else(bench: Bench) -> None:
    bench.client(args={"seed": 7}).complete(HELLO, max_tokens=99, json=True)
    body = bench.server.requests[-1].body
    assert body == {
        "model": "scripted-careful",
        "messages": [{"role": "user", "content": "hello there"}],
        "max_tokens": 99,
        "temperature": 0.0,
        "seed": 7,
    }, "no JSON mode for a model that may not have one"
    bench.client(args={"temperature": "none", "json_mode": True}).complete(HELLO, json=True)
    body = bench.server.requests[-1].body
    assert "temperature" not in body
    assert body["response_format"] == {"type": "json_object"}


def test_a_provider_s_json_mode_is_used_where_it_has_one(warm: None) -> None:
    with MockServer(stand_in="scripted-finisher") as server:
        for args in ({}, {"json_mode": False}):
            client = LiteLLMClient("gpt-4o", {"api_base": server.url, "api_key": CANARY, **args})
            for wanted in (True, False):
                client.complete(HELLO, json=wanted)
        modes = [asked.body.get("response_format") for asked in server.requests]
    assert modes == [{"type": "json_object"}, None, None, None]


def test_reasoning_models_get_no_temperature_and_room_to_think(bench: Bench) -> None:
    with pytest.raises(UsageError):
        bench.client("o3-mini").complete(HELLO, max_tokens=100)
    body = bench.server.requests[-1].body
    assert "temperature" not in body
    assert body["max_completion_tokens"] == 8_100


def test_a_long_stable_beginning_is_marked_where_the_provider_wants_marks() -> None:
    text = "h" * CACHE_MARK_FROM + "now"
    message = Message(role="user", text=text, stable=CACHE_MARK_FROM)
    assert chat_message(message, marks=False) == {"role": "user", "content": text}
    parts = chat_message(message, marks=True)["content"]
    assert parts == [
        {"type": "text", "text": "h" * CACHE_MARK_FROM, "cache_control": {"type": "ephemeral"}},
        {"type": "text", "text": "now"},
    ]
    short = Message(role="user", text=text, stable=CACHE_MARK_FROM - 1)
    assert chat_message(short, marks=True)["content"] == text


def test_images_go_to_models_that_see(bench: Bench) -> None:
    picture = (Message(role="user", text="look", images=(b"\xff\xd8jpeg",)),)
    with pytest.raises(UsageError, match="vision=true"):
        bench.client().complete(picture)
    seeing = bench.client(args={"vision": True})
    assert seeing.vision
    seeing.complete(picture)
    parts = bench.server.requests[-1].body["messages"][0]["content"]
    assert [part["type"] for part in parts] == ["text", "image_url"]
    assert parts[1]["image_url"]["url"] == "data:image/jpeg;base64," + base64.b64encode(b"\xff\xd8jpeg").decode()


def test_prices_are_the_user_s_own_or_the_table_s(bench: Bench) -> None:
    own_prices = bench.client(args={"input_cost_per_token": 1e-6, "output_cost_per_token": 2e-6}).complete(HELLO).usage
    assert own_prices.usd == pytest.approx(own_prices.prompt_tokens * 1e-6 + own_prices.completion_tokens * 2e-6)
    with MockServer(stand_in="scripted-finisher") as server:
        listed = LiteLLMClient("gpt-4o", {"api_base": server.url, "api_key": CANARY}).complete(LONG).usage
    assert listed.usd == pytest.approx(listed.prompt_tokens * 2.5e-6 + listed.completion_tokens * 1e-5)


@pytest.mark.parametrize(
    "name", ["fallbacks", "max_retries", "drop_params", "mock_response", "messages", "stream_options"]
)
def test_arguments_that_would_change_the_measurement_are_refused(name: str) -> None:
    with pytest.raises(UsageError, match=name):
        LiteLLMClient("gpt-4o", {name: 1})


def test_a_patience_that_is_no_number_is_one_line() -> None:
    with pytest.raises(UsageError, match="--model-arg idle"):
        LiteLLMClient("gpt-4o", {"idle": "long"})


def test_keys_show_up_nowhere(
    bench: Bench, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    shown: list[str] = []
    for fault in ("unauthorized", "server_error", "reset", "html", "stall=20", "bad_request"):
        try:
            bench.ask(f"scripted-careful@{fault}")
        except (HarnessTrouble, UsageError) as error:
            shown += [str(error), repr(error), "".join(traceback.format_exception(error, chain=True))]
    assert len(shown) == 18
    assert any("[key]" in text for text in shown), "the server repeated the key, and it was taken out"
    shown += [caplog.text, *capfd.readouterr()]
    everything = "\n".join(shown)
    encoded = base64.b64encode(CANARY.encode()).decode().rstrip("=")
    for form in (CANARY, encoded, urllib.parse.quote(CANARY, safe="")):
        assert form not in everything


def test_a_private_server_needs_no_key(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    client = LiteLLMClient("openai/scripted-careful", {"api_base": bench.server.url}, patience=FEW)
    assert client.complete(HELLO).finish_reason == "stop"
