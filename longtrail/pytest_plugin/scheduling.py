"""Scheduling: with xdist, all context lengths of a task go to one worker, so that its first part is played once.

Every other case is a separate unit, as with xdist's `load`. The unit of a worker that died is assigned again without
its finished tests; the caller decides about those that were running.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from xdist.scheduler import LoadScopeScheduling

from longtrail.pytest_plugin.deaths import Fate
from longtrail.pytest_plugin.player import AHEAD
from longtrail.tasks.cases import case_name


class FirstPartsTogether(LoadScopeScheduling):  # type: ignore[misc]
    """xdist's scheduling by scope; cases that share a first part are one scope.

    Three things differ from xdist, because each of them can hang a run or end it with an internal error
    (CONTRIBUTING.md lists them): xdist assigns finished scopes of a dead worker again, gives a worker a single test
    (which waits for a second one before it begins), and gives work to workers that have not collected yet. Finished
    scopes are forgotten: xdist goes through all of them whenever a test ends.
    """

    def __init__(
        self,
        config: Any,
        log: Any,
        units: Mapping[str, str],
        fate: Callable[[str], Fate],
        begun: Callable[[Sequence[str]], Sequence[str]] = lambda left: left[:1],
        given_up: Callable[[str, Any], object] = lambda *_: None,
        episodes: int = 1,
    ) -> None:
        """`fate` decides about each test that a dead worker had begun; `begun` selects these among its unfinished
        tests. `given_up` is called for each test that is given up, after the first one. `episodes`: how many a worker
        plays at the same time."""
        super().__init__(config, log)
        self._units, self._fate, self._begun, self._given_up = units, fate, begun, given_up
        self._few = episodes + 1
        """Minimum number of tests that a worker has, while there are any: the running one and the next."""
        self._many = AHEAD * episodes if episodes > 1 else self._few
        """Number of tests that a worker has while many are left: a slow case doesn't keep it from playing others."""

    @property
    def collection_is_completed(self) -> bool:
        """Stays true after the tests were assigned for the first time, even if workers end or start."""
        return self.collection is not None or bool(super().collection_is_completed)

    def remove_node(self, node: Any) -> str | None:
        """Handle the end of a worker. Returns the first test that it was playing if that test is given up."""
        self.registered_collections.pop(node, None)
        workload = self.assigned_work.pop(node)
        left = [test for unit in workload.values() for test, done in unit.items() if not done]
        fates = {test: self._fate(test) for test in self._begun(left)}
        for test, fate in fates.items():
            workload[self._split_scope(test)][test] = fate != "again"
        lost = [test for test, fate in fates.items() if fate == "given up"]
        for scope in reversed([scope for scope, unit in workload.items() if not all(unit.values())]):
            self.workqueue[scope] = workload[scope]
            self.workqueue.move_to_end(scope, last=False)
        for other in self.nodes:
            self._reschedule(other)
        for test in lost[1:]:
            self._given_up(test, node)
        return lost[0] if lost else None

    def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:  # noqa: ARG002 (xdist's)
        """Note that a worker has finished a test."""
        nodeid = self.registered_collections[node][item_index]
        scope, units = self._split_scope(nodeid), self.assigned_work[node]
        units[scope][nodeid] = True
        if all(units[scope].values()):
            del units[scope]
        self._reschedule(node)

    def _reschedule(self, node: Any) -> None:
        """Give a worker units until it knows enough tests: those to play, and the next one. If no units are left, tell
        it to end after its tests."""
        if node not in self.registered_collections:
            return  # it is still collecting
        while self.workqueue and not node.shutting_down and self._pending_of(self.assigned_work[node]) < self._enough():
            self._assign_work_unit(node)
        if not self.workqueue and not node.shutting_down:
            node.shutdown()

    def _enough(self) -> int:
        """How many tests a worker should have. Near the end, no worker gets tests that another one could begin
        sooner."""
        workers = len(self.assigned_work)
        if len(self.workqueue) > self._many * workers:
            return self._many
        left: int = sum(map(len, self.workqueue.values())) + sum(map(self._pending_of, self.assigned_work.values()))
        return min(self._few, max(2, -(-left // workers)))

    def _assign_work_unit(self, node: Any) -> None:
        try:
            super()._assign_work_unit(node)
        except OSError:
            node.shutdown()  # it died, as the next event will report; its units are assigned again then

    def _split_scope(self, nodeid: str) -> str:
        return self._units.get(case_name(nodeid), nodeid)
