"""Coming: the next tests of this process whose cases its `Player` may play before the tests run."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from longtrail.options.run_options import Options
from longtrail.pytest_plugin.episode_context import on_own_app
from longtrail.pytest_plugin.player import Place, Player
from longtrail.pytest_plugin.plugin import CASE, case_of
from longtrail.records.result import Result

DECIDING = (
    "longtrail_contender",
    "longtrail_agent_factory",
    "longtrail_prompt",
    "longtrail_episode_context",
    "longtrail_result",
    "longtrail_web",
    "longtrail_browser",
    "longtrail_model_client",
    "longtrail_judge_client",
    "longtrail_first_parts",
    "longtrail_run",
)
"""Fixtures that say how a case is played. If a project overrides one, its cases are played when their tests run:
fixtures can't be requested earlier, and their objects may not be safe in several threads."""


def played_ahead(item: Any, player: Player | None, options: Options) -> Result | None:
    """The result of a test's case if this worker's player plays it; waits for it. None: the test must play the case
    itself."""
    if player is None or not _may(item, options):
        return None
    place = Place(item.nodeid, item.callspec.params[CASE])
    return player.result(place, lambda: _places(item, options, player.window))


def _places(item: Any, options: Options, most: int) -> list[Place]:
    """The next tests of this process, as far as it knows them, whose cases can be played before the tests run; this one
    first."""
    coming = islice(_next(item), most)
    return [Place(each.nodeid, each.callspec.params[CASE]) for each in coming if _may(each, options)]


def _may(item: Any, options: Options) -> bool:
    """Whether a test's case can be played before the test runs."""
    planned = case_of(item)
    if planned is None or "longtrail_result" not in item.fixturenames or on_own_app(planned, options):
        return False
    manager = item.session._fixturemanager
    return all(len(manager.getfixturedefs(name, item) or ()) == 1 for name in DECIDING)


def _next(item: Any) -> Iterator[Any]:
    yield item
    items, plugins = item.session.items, item.config.pluginmanager.get_plugins()
    worker = next((each for each in plugins if hasattr(each, "torun")), None)
    if worker is None:
        yield from islice(items, items.index(item) + 1, None)
        return
    with worker.torun.lock() as queue:  # xdist's worker: indices of tests, and a mark of the end
        dealt = [worker.nextitem_index, *queue]
    yield from (items[index] for index in dealt if isinstance(index, int))
