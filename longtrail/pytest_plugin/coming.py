"""Coming: the next tests of this process whose cases its `Player` may play before the tests run."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from longtrail.options.run_options import Options
from longtrail.pytest_plugin.early import can_be_early
from longtrail.pytest_plugin.player import Place, Player
from longtrail.pytest_plugin.plugin import CASE
from longtrail.records.result import Result


def played_ahead(request: Any, options: Options) -> Result | None:
    """The result of a test's case if this worker's player plays it; waits for it. None: the test must play the case
    itself. `request`: pytest's, of the test. The player is made for the first such test: then its fixtures are ours."""
    item = request.node
    if options.episodes_per_worker < 2 or not can_be_early(item, options):
        return None
    player: Player = request.getfixturevalue("longtrail_player")
    place = Place(item.nodeid, item.callspec.params[CASE])
    return player.result(place, lambda: _places(item, options, player.window))


def _places(item: Any, options: Options, most: int) -> list[Place]:
    """The next tests of this process, as far as it knows them, whose cases can be played before the tests run; this one
    first."""
    coming = islice(_next(item), most)
    return [Place(each.nodeid, each.callspec.params[CASE]) for each in coming if can_be_early(each, options)]


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
