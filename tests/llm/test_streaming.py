"""Streamed answers: read token by token, never used in part, otherwise the same as whole ones. A call that is given up
ends its connection, and the next one is answered."""

import threading
import time

import pytest

from longtrail.errors import HarnessTrouble
from tests.llm.bench import HELLO, LONG, Bench

STREAMED = [
    pytest.param("stall=20", "llm_timeout", 2, marks=pytest.mark.slow),
    ("trickle=20", "llm_timeout", 2),
    ("pause=20", "llm_timeout", 2),
    pytest.param("drip=20", "llm_timeout", 2, marks=pytest.mark.slow),
    ("cut", "llm_network", 3),
    ("reset", "llm_network", 3),
    ("truncated_json", "llm_network", 3),
    ("html", "llm_network", 3),
    ("server_error=529", "llm_server", 3),
    ("rate_limit", "llm_rate_limit", 4),
    ("overflow", "llm_context_overflow", 1),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("fault", "kind", "requests"), STREAMED)
def test_a_stream_that_goes_wrong_is_tried_again_and_never_used_in_part(
    bench: Bench, fault: str, kind: str, requests: int
) -> None:
    """Silence between tokens, an endless slow answer, an end without a reason, and all faults of whole answers."""
    whole = bench.ask("scripted-careful").text
    with pytest.raises(HarnessTrouble) as caught:
        bench.ask(f"scripted-careful@{fault}", stream=True)
    assert (caught.value.kind, bench.requests) == (kind, requests)
    assert all(asked.body["stream"] is True for asked in bench.server.requests[bench.before :])
    if requests > 1:
        assert bench.ask(f"scripted-careful@{fault}:1", stream=True).text == whole
        assert bench.requests == 2


@pytest.mark.thorough
def test_a_silence_is_told_from_a_long_answer(bench: Bench) -> None:
    start = time.monotonic()
    with pytest.raises(HarnessTrouble, match=r"said nothing for 2 s, after [1-9]"):
        bench.ask("scripted-careful@pause=100", stream=True)
    assert time.monotonic() - start < 90, "given up after the silence, not when the server ends or `idle` is over"
    with pytest.raises(HarnessTrouble, match=r"said nothing for 2\.5 s, after 0 pieces"):
        bench.ask("scripted-careful@trickle=20", stream=True)
    with pytest.raises(HarnessTrouble, match=r"took longer than 4 s"):
        bench.ask("scripted-careful@drip=20", stream=True)


@pytest.mark.parametrize(
    "model", ["scripted-careful", "scripted-careful@length", "scripted-careful@content_filter", "scripted-refuser"]
)
def test_streamed_or_whole_an_answer_is_the_same(bench: Bench, model: str) -> None:
    """A refusal is requested again without a stream, because litellm's streams drop its text."""
    streamed, whole = (bench.ask(model, LONG, stream=stream) for stream in (True, False))
    changing = {"seconds": True, "usage": {"cached_tokens"}}
    assert streamed.model_dump(exclude=changing) == whole.model_dump(exclude=changing)


def test_an_answer_that_is_asked_for_again_as_a_whole_ends_no_streaming(bench: Bench) -> None:
    client = bench.client("scripted-careful@no_content:1", {"stream": True})
    bench.server.forget()
    before = len(bench.server.requests)
    for _ in range(2):
        client.complete(HELLO)
    assert [request.body.get("stream", False) for request in bench.server.requests[before:]] == [True, False, True]


def test_a_stream_tells_the_model_that_spoke_and_prompts_that_were_cut(bench: Bench) -> None:
    assert bench.ask("scripted-careful@wrong_model=scripted-nano", stream=True).model == "scripted-nano"
    with pytest.raises(HarnessTrouble, match="cut the prompt"):
        bench.ask("scripted-careful@low_usage=900", LONG, stream=True)


ONCE = {"retries": 0, "timeout_retries": 0, "rate_limit_retries": 0}


@pytest.mark.sampled(3, ci=1)
@pytest.mark.parametrize(
    "fault", ["drip=20", "cut", "reset", "trickle=20", "truncated_json", "html", "pause=20", "stall=20", "overflow"]
)
def test_the_next_call_is_answered(bench: Bench, fault: str) -> None:
    with pytest.raises(HarnessTrouble):
        bench.ask(f"scripted-careful@{fault}", stream=True, **ONCE)
    assert bench.ask("scripted-careful", total=60, **ONCE).text


@pytest.mark.parametrize("stream", [True, False])
def test_a_call_that_is_given_up_ends_its_connection(bench: Bench, stream: bool) -> None:
    """A byte arrives now and then, for 200 seconds."""
    bench.ask("scripted-careful", stream=stream)
    before = served_connections()
    with pytest.raises(HarnessTrouble, match=r"took longer|said nothing"):
        bench.ask("scripted-careful@trickle=200", stream=stream, **ONCE)
    end = time.monotonic() + 60
    while served_connections() > before and time.monotonic() < end:
        time.sleep(0.05)
    assert served_connections() <= before


def served_connections() -> int:
    """How many connections the mock server has: a thread each."""
    return sum("process_request_thread" in thread.name for thread in threading.enumerate())
