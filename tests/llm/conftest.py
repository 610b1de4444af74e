"""The mock model server, real HTTP on loopback, one for all tests of this folder."""

from collections.abc import Iterator

import pytest

from longtrail.llm.mock.server import MockServer
from tests.llm.bench import Bench


@pytest.fixture(scope="session")
def server() -> Iterator[MockServer]:
    with MockServer() as running:
        yield running


@pytest.fixture(scope="session")
def warm(server: MockServer) -> None:
    """Make litellm's first calls, which take seconds."""
    for streamed in (False, True):
        Bench(server).ask("scripted-finisher", stream=streamed)


@pytest.fixture
def bench(server: MockServer, warm: None) -> Bench:
    return Bench(server)
