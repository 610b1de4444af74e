"""Which tests a short run leaves out.

`pytest tests` takes minutes: of a test marked `sampled(n)` it runs every n-th parameter, of a `thorough` one nothing.
`pytest tests --all` runs everything.
"""

import gc
from collections import Counter
from collections.abc import Generator

import pytest

LEFT_OUT: pytest.StashKey[int] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run the thorough tests and every parameter of sampled ones")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "thorough: takes long and has a shorter relative; only with --all")
    config.addinivalue_line("markers", "sampled(n): without --all, every n-th parameter, the first among them")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Nothing of what is collected is garbage: to look for some takes a third of the time, and again in every test."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.option.all:
        return
    seen: Counter[str] = Counter()
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        test, number = item.nodeid.partition("[")[0], 0
        sampled = item.get_closest_marker("sampled")
        if sampled:
            number = seen[test] % sampled.args[0]
            seen[test] += 1
        (left if number or item.get_closest_marker("thorough") else kept).append(item)
    items[:] = kept
    if left:
        config.hook.pytest_deselected(items=left)
