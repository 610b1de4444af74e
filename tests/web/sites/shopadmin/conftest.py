"""A fresh back office for each test."""

from collections.abc import Iterator

import pytest

from tests.web.sites.shopadmin.shop import Shop


@pytest.fixture
def shop() -> Iterator[Shop]:
    visitor = Shop()
    yield visitor
    visitor.close()
