"""Scheduling: with xdist, all context lengths of a task go to one worker, so that its first part is played once.

Every other case is a separate unit, as with xdist's `load`. The unit of a worker that died is assigned again without
its finished tests; the caller decides about the test that was running.
"""

from collections.abc import Callable, Mapping
from typing import Any

from xdist.scheduler import LoadScopeScheduling

from longtrail.pytest_plugin.deaths import Fate
from longtrail.tasks.cases import case_name


class FirstPartsTogether(LoadScopeScheduling):  # type: ignore[misc]
    """xdist's scheduling by scope; cases that share a first part are one scope.

    Three things differ from xdist, because each of them can hang a run or end it with an internal error
    (CONTRIBUTING.md lists them): xdist assigns finished scopes of a dead worker again, gives a worker a single test
    (which waits for a second one before it begins), and gives work to workers that have not collected yet.
    """

    def __init__(self, config: Any, log: Any, units: Mapping[str, str], fate: Callable[[str], Fate]) -> None:
        """`fate` decides about the first unfinished test of a dead worker."""
        super().__init__(config, log)
        self._units = units
        self._fate = fate

    @property
    def collection_is_completed(self) -> bool:
        """Stays true after the tests were assigned for the first time, even if workers end or start."""
        return self.collection is not None or bool(super().collection_is_completed)

    def remove_node(self, node: Any) -> str | None:
        """Handle the end of a worker. Returns the test that it was playing if that test is given up."""
        self.registered_collections.pop(node, None)
        workload = self.assigned_work.pop(node)
        at = next((test for unit in workload.values() for test, done in unit.items() if not done), None)
        fate = self._fate(at) if at is not None else "finished"
        if at is not None and fate != "again":
            workload[self._split_scope(at)][at] = True
        for scope in reversed([scope for scope, unit in workload.items() if not all(unit.values())]):
            self.workqueue[scope] = workload[scope]
            self.workqueue.move_to_end(scope, last=False)
        for other in self.nodes:
            self._reschedule(other)
        return at if fate == "given up" else None

    def _reschedule(self, node: Any) -> None:
        """Give a worker units until it knows two tests: the one to play, and the next one. If no units are left, tell
        it to end after its tests."""
        if node not in self.registered_collections:
            return  # it is still collecting
        while self.workqueue and not node.shutting_down and self._pending_of(self.assigned_work[node]) < 2:
            self._assign_work_unit(node)
        if not self.workqueue and not node.shutting_down:
            node.shutdown()

    def _assign_work_unit(self, node: Any) -> None:
        try:
            super()._assign_work_unit(node)
        except OSError:
            node.shutdown()  # it died, as the next event will report; its units are assigned again then

    def _split_scope(self, nodeid: str) -> str:
        return self._units.get(case_name(nodeid), nodeid)
