"""Scheduling: how xdist's controller gives tests to its workers.

All context lengths of a task are one unit and go to one worker, so that their first part is played once. Every other
case is a unit of its own. The unit of a worker that crashed is assigned again without its finished tests.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol

from longtrail.records.grouping import grouped

CrashDecision = Literal["again", "finished", "given up"]
"""What happens to the test that a worker was running when it crashed."""


class Repeats(Protocol):
    """Which tests of a sequential run are played."""

    @property
    def opened(self) -> frozenset[str]:
        """The tests that play a case of an open repeat."""
        ...

    @property
    def tests(self) -> Mapping[str, Any]:
        """All tests that play a case."""
        ...

    def next_repeat(self) -> list[str]:
        """When all open tests have ended: those to play next; empty at the end."""
        ...


class UnitScheduling:
    """xdist's `Scheduling` protocol for a session that plays cases.

    A worker has two tests while there are any, the running one and the next: xdist's worker begins a test only when it
    knows the next one, or that there is none. So at the end of a repeat of a sequential run, each gets a test of a
    later repeat. It begins that test after the decision about it, and skips it if it is not needed.
    """

    def __init__(
        self,
        workers: int,
        units: Mapping[str, str],
        decide: Callable[[str], CrashDecision],
        repeats: Repeats | None = None,
    ) -> None:
        """`workers`: number of workers that must collect before tests are assigned. `units`: test -> name of its unit;
        a test without one is a unit of its own. `decide`: called with the test that a crashed worker was running."""
        self._needed, self._unit_of, self._decide, self._repeats = workers, units, decide, repeats
        self._tests: list[str] | None = None
        """All tests, as soon as they are assigned."""
        self._queue: deque[list[str]] = deque()
        self._later: dict[str, None] = {}
        """The tests of repeats that may not be needed."""
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
        left = self._queue or self._later or any(len(tests) > 1 for tests in self._assigned.values())
        return self._tests is not None and not left

    @property
    def has_pending(self) -> bool:
        """Whether any test is not finished."""
        return bool(self._queue or self._later) or any(self._assigned.values())

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
            if self._repeats is not None:
                opened, cases = self._repeats.opened, self._repeats.tests
                self._later = dict.fromkeys(test for test in self._tests if test in cases and test not in opened)
            self._add([test for test in self._tests if test not in self._later])
        self._assign()

    def mark_test_complete(self, node: Any, item_index: int, duration: float = 0) -> None:  # noqa: ARG002 (xdist's)
        self._assigned[node].remove(self._collected[node][item_index])
        self._assign()

    def remove_node(self, node: Any) -> str | None:
        """A worker has ended. Returns the test that it was running if that test is given up."""
        self._collected.pop(node, None)
        left = [test for test in self._assigned.pop(node) if test not in self._later]
        if not left:
            self._assign()
            return None
        running, *others = left
        decision = self._decide(running)
        self._queue.extendleft(reversed(self._units(left if decision == "again" else others)))
        self._assign()
        return running if decision == "given up" else None

    def _units(self, tests: Sequence[str]) -> list[list[str]]:
        return list(grouped(tests, lambda test: self._unit_of.get(test, test)).values())

    def _add(self, tests: Sequence[str]) -> None:
        """Put tests into the queue, the largest units first."""
        self._queue.extend(sorted(self._units(tests), key=len, reverse=True))

    def _assign(self) -> None:
        """Give units to the workers in turn, until each has two tests. If none are left, and none may follow, tell the
        workers to end after their tests."""
        for wanted in (1, 2):
            for node in list(self._collected):
                while self._queue and not node.shutting_down and len(self._assigned[node]) < wanted:
                    self._send(node, self._queue.popleft())
        if self._queue or self._tests is None:
            return
        if self._later and all(test in self._later for left in self._assigned.values() for test in left):
            self._open_repeat()
            return
        for node in self._collected:
            if not node.shutting_down and not (self._later and self._holds_back(node)):
                node.shutdown()

    def _holds_back(self, node: Any) -> bool:
        """Give a worker that has one test left a test of a later repeat, so that it begins the one that it has. False
        if there is none to give."""
        left = self._assigned[node]
        if len(left) != 1 or left[0] in self._later:
            return True
        held = {self._unit_of.get(test, test) for tests in self._assigned.values() for test in tests}
        free = next((test for test in self._later if self._unit_of.get(test, test) not in held), None)
        if free is not None:
            self._send(node, [free])
        return free is not None

    def _open_repeat(self) -> None:
        """All tests have ended: begin with the next repeat, if it is needed. A worker that holds a test of it gets the
        rest of its unit."""
        assert self._repeats is not None
        following = self._repeats.next_repeat()
        if not following:
            self._later.clear()
        for test in following:
            del self._later[test]
        held = {test: node for node, tests in self._assigned.items() for test in tests}
        queued: list[str] = []
        for unit in self._units(following):
            if holder := next((held[test] for test in unit if test in held), None):
                self._send(holder, [test for test in unit if test not in held])
            else:
                queued += unit
        self._add(queued)
        self._assign()

    def _send(self, node: Any, tests: list[str]) -> None:
        if not tests:
            return
        self._assigned[node] += tests
        try:
            node.send_runtest_some([self._collected[node].index(test) for test in tests])
        except OSError:  # it has crashed: xdist reports that next, and its tests are assigned again
            node.shutdown()
