"""Which tests a short run leaves out.

`pytest tests` is the short run: it leaves out tests marked `slow` or `thorough`, and of a test marked
`sampled(n, ci=m)` it runs every n-th parameter. `--ci` adds the slow ones and runs every m-th parameter. `--all` runs
everything, and `-m every_way` every way through the tasks of `tests/paths`.
"""

import gc
from collections import Counter
from collections.abc import Generator

import pytest

LEFT_OUT: pytest.StashKey[int] = pytest.StashKey()
LONGEST = ("tests/pytest_plugin/", "tests/test_extension_points.py", "tests/report/", "tests/exploits/")
"""Files whose tests start whole runs and browsers. They begin first, so that no worker still runs one at the end."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--ci", action="store_true", help="run the slow tests, too, as CI does")
    parser.addoption("--all", action="store_true", help="run the thorough tests and every parameter of sampled ones")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes seconds and has a shorter relative; only with --ci or --all")
    config.addinivalue_line("markers", "thorough: takes long and has a shorter relative; only with --all")
    config.addinivalue_line("markers", "sampled(n, ci=n): without --all, every n-th parameter, the first among them")
    config.addinivalue_line("markers", "every_way: ways through the tasks; named with -m, all of them are played")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without garbage collection, which takes a third of the time and finds nothing. What was collected is then
    frozen: the garbage collection in tests ignores it."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))
    if config.option.all or config.option.markexpr == "every_way":
        return
    ci = config.option.ci
    seen: Counter[str] = Counter()
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        test, number = item.nodeid.partition("[")[0], 0
        sampled = item.get_closest_marker("sampled")
        if sampled:
            number = seen[test] % (sampled.kwargs.get("ci", sampled.args[0]) if ci else sampled.args[0])
            seen[test] += 1
        out = item.get_closest_marker("thorough") or (not ci and item.get_closest_marker("slow"))
        (left if number or out else kept).append(item)
    items[:] = kept
    if left:
        config.hook.pytest_deselected(items=left)
