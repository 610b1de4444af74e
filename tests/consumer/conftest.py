"""What the tests of the consumer web share: a world and a visitor who speaks to the replicas in process."""

from collections.abc import Iterator

import pytest

from tests.consumer.visitor import Visitor
from trailmark.web.consumer import make, sites
from trailmark.web.consumer.replica import Replica
from trailmark.web.world import Templates, World


@pytest.fixture
def world() -> Iterator[World]:
    made = World("test", Templates([make()]))
    yield made
    made.close()


@pytest.fixture
def visitor(world: World) -> Visitor:
    return Visitor(world)


@pytest.fixture(params=tuple(sites.files()))
def replica(request: pytest.FixtureRequest) -> Replica:
    return sites.replica(request.param)
