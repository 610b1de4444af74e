"""The bench of all tests with tasks on a user's own app."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.episode.shop_bench import Bench


@pytest.fixture(scope="session")
def bench() -> Iterator["Bench"]:
    pytest.importorskip("flask")
    from tests.episode.shop_bench import shop_bench

    with shop_bench() as bench:
        yield bench
