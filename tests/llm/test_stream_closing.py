"""A streamed answer that is given up or fails is closed by its reader.

Left to the garbage collector, it would be closed by any thread, also by one that holds the lock of the connection pool:
that thread would then wait for itself, and all later calls for it.
"""

import gc
from collections.abc import Iterator

import httpcore._synchronization as synchronization
import pytest

from longtrail.errors import HarnessTrouble
from tests.llm.bench import Bench

ONCE = {"retries": 0, "timeout_retries": 0, "rate_limit_retries": 0}


@pytest.fixture
def collect_under_the_lock(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Collect garbage where httpcore makes an event, which it does under the pool's lock. A collection may happen at
    any allocation; no other one happens in the test."""
    make = synchronization.Event.__init__

    def collect_and_make(event: synchronization.Event) -> None:
        gc.collect()
        make(event)

    monkeypatch.setattr(synchronization.Event, "__init__", collect_and_make)
    gc.disable()
    yield
    gc.enable()


@pytest.mark.sampled(3, ci=1)
@pytest.mark.parametrize(
    "fault", ["drip=20", "cut", "reset", "trickle=20", "truncated_json", "html", "pause=20", "stall=20", "overflow"]
)
def test_the_next_call_is_answered(bench: Bench, collect_under_the_lock: None, fault: str) -> None:
    with pytest.raises(HarnessTrouble):
        bench.ask(f"scripted-careful@{fault}", stream=True, **ONCE)
    assert bench.ask("scripted-careful", total=60, **ONCE).text


def test_the_call_after_a_thread_that_does_not_end_uses_a_fresh_client(bench: Bench) -> None:
    """A whole answer of which a byte arrives now and then: its thread can't be ended."""
    bench.ask("scripted-careful")
    clients = open_clients(bench)
    with pytest.raises(HarnessTrouble, match="took longer"):
        bench.ask("scripted-careful@trickle=20", **ONCE)
    assert bench.ask("scripted-careful").text
    assert open_clients(bench).isdisjoint(clients)


def open_clients(bench: Bench) -> set[int]:
    """The ids of the clients that calls to this server use now."""
    import litellm

    clients = litellm.in_memory_llm_clients_cache.cache_dict.values()
    return {id(client) for client in clients if str(getattr(client, "base_url", "")).startswith(bench.server.url)}
