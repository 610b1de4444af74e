"""Scheduling: how xdist's controller gives tests to its workers.

All context lengths of a task are one unit and go to one worker, so that their first part is played once. Every other
case is a unit of its own. The unit of a worker that crashed is assigned again without its finished tests.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

CrashDecision = Literal["again", "finished", "given up"]
"""What happens to the test that a worker was running when it crashed."""


class UnitScheduling:
    """xdist's `Scheduling` protocol for a session that plays cases.

    A worker has two tests while there are any, the running one and the next: xdist's worker begins a test only when it
    knows the next one, or that there is none.
    """

    def __init__(self, workers: int, units: Mapping[str, str], decide: Callable[[str], CrashDecision]) -> None:
        """`workers`: number of workers that must collect before tests are assigned. `units`: test -> name of its unit;
        a test without one is a unit of its own. `decide`: called with the test that a crashed worker was running."""
        self._needed, self._unit_of, self._decide = workers, units, decide
        self._tests: list[str] | None = None
        """All tests, as soon as they are assigned."""
        self._queue: deque[list[str]] = deque()
        self._assigned: dict[Any, list[str]] = {}
        """Worker -> its unfinished tests in order; the first one is running."""
        self._collected: dict[Any, list[str]] = {}

    @property
    def nodes(self) -> list[Any]:
        """The running workers."""
        return list(self._assigned)

    @property
    def collection_is_completed(self) -> bool:
        """Whether tests can be assigned. It stays true when workers end or start later."""
        return self._tests is not None or len(self._collected) >= self._needed

    @property
    def tests_finished(self) -> bool:
        """Whether every worker has at most its last test left."""
        return self._tests is not None and not self._queue and all(len(left) < 2 for left in self._assigned.values())

    @property
    def has_pending(self) -> bool:
        """Whether any test is not finished."""
        return bool(self._queue) or any(self._assigned.values())

    def add_node(self, node: Any) -> None:
        """A worker has started, and collects."""
        self._assigned[node] = []

    def add_node_collection(self, node: Any, collection: Sequence[str]) -> None:
        """A worker has collected these tests. One with other tests than the first worker gets none and ends."""
        expected = self._tests or next(iter(self._collected.values()), None)
        if expected is not None and list(collection) != expected:
            node.shutdown()
            self._needed -= self._tests is None
            return
        self._collected[node] = list(collection)

    def schedule(self) -> None:
        """Begin to assign tests, the largest units first; or go on when another worker has collected."""
        if self._tests is None:
            self._tests = next(iter(self._collected.values()), [])
            units = self._units(self._tests)
            self._queue.extend(sorted(units, key=len, reverse=True))
        self._assign()

    def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:  # noqa: ARG002 (xdist's)
        """A worker has finished a test."""
        self._assigned[node].remove(self._collected[node][item_index])
        self._assign()

    def remove_node(self, node: Any) -> str | None:
        """A worker has ended. Returns the test that it was running if that test is given up."""
        self._collected.pop(node, None)
        left = self._assigned.pop(node)
        if not left:
            return None
        running, *others = left
        decision = self._decide(running)
        self._queue.extendleft(reversed(self._units(left if decision == "again" else others)))
        self._assign()
        return running if decision == "given up" else None

    def _units(self, tests: Sequence[str]) -> list[list[str]]:
        units: dict[str, list[str]] = {}
        for test in tests:
            units.setdefault(self._unit_of.get(test, test), []).append(test)
        return list(units.values())

    def _assign(self) -> None:
        """Give units to the workers in turn, until each has two tests. If none are left, tell the workers to end after
        their tests."""
        for wanted in (1, 2):
            for node in list(self._collected):
                while self._queue and not node.shutting_down and len(self._assigned[node]) < wanted:
                    self._send(node, self._queue.popleft())
        if not self._queue:
            for node in self._collected:
                if not node.shutting_down:
                    node.shutdown()

    def _send(self, node: Any, tests: list[str]) -> None:
        self._assigned[node] += tests
        try:
            node.send_runtest_some([self._collected[node].index(test) for test in tests])
        except OSError:  # it has crashed: xdist reports that next, and its tests are assigned again
            node.shutdown()
