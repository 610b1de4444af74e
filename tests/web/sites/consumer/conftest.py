"""What the tests of the consumer web share: a world, a visitor who requests pages in process, and each replica."""

from collections.abc import Iterator

import pytest

from longtrail.web.sites.consumer import sites
from longtrail.web.sites.consumer.sites import Replica
from longtrail.web.world import Templates, World
from tests.web.sites.consumer.visitor import SITE, Visitor


@pytest.fixture
def world() -> Iterator[World]:
    made = World("test", Templates([SITE]))
    yield made
    made.close()


@pytest.fixture
def visitor(world: World) -> Visitor:
    return Visitor(world)


@pytest.fixture(params=tuple(sites.files()))
def replica(request: pytest.FixtureRequest) -> Replica:
    return sites.replica(request.param)
