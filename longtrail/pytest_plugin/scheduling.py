"""Scheduling: with xdist, all context lengths of a task go to one worker, so that its first part is played once.

Every other case is a unit of its own, as with xdist's `load`. A unit of a worker that died is dealt out again without
what was finished; what becomes of the test that was under way is for the caller to say.
"""

from collections.abc import Callable, Mapping
from typing import Any

from xdist.scheduler import LoadScopeScheduling

from longtrail.pytest_plugin.deaths import Fate
from longtrail.tasks.cases import case_name


class FirstPartsTogether(LoadScopeScheduling):  # type: ignore[misc]
    """xdist's scheduling by scope, where a scope is what shares a first part.

    Three things that xdist does are done otherwise here, as each of them can hang a run or end it with an internal
    error (CONTRIBUTING.md lists them): it deals out finished scopes of a dead worker again, it gives a worker a single
    test (which waits for a second before it begins), and it gives work to workers that have not collected yet.
    """

    def __init__(self, config: Any, log: Any, units: Mapping[str, str], fate: Callable[[str], Fate]) -> None:
        """`fate` is asked about the first test that a dead worker had not finished."""
        super().__init__(config, log)
        self._units = units
        self._fate = fate

    @property
    def collection_is_completed(self) -> bool:
        """Once the tests were dealt out for the first time, this stays true, whichever workers come and go."""
        return self.collection is not None or bool(super().collection_is_completed)

    def remove_node(self, node: Any) -> str | None:
        """A worker ended. Returns the test that it was at, if this one is given up."""
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
        """Give a worker units until it knows two tests: the one to play, and the one that comes after it. If there
        are no more units, it is told to end after those that it has."""
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
            node.shutdown()  # it died, which the next event tells; what it was given just now comes back then

    def _split_scope(self, nodeid: str) -> str:
        return self._units.get(case_name(nodeid), nodeid)
