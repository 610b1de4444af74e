"""Player: with `--episodes-per-worker`, plays a worker's next cases in threads, in its one browser.

Tests still run one after the other: each waits for its case's result, and no other part of pytest is used by two
threads. All cases of a unit are played by one thread, in their order, as they share a first part.
"""

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace

from longtrail.episode.context import EpisodeContext, FirstPartCache
from longtrail.errors import HarnessTrouble, UsageError
from longtrail.llm.client import Message, ModelClient, Reply
from longtrail.pytest_plugin.evaluate import evaluate, recorded
from longtrail.records.result import Result
from longtrail.runs.store import Run
from longtrail.runs.under_way import SessionOver, check_session, no_longer_under_way, to_be_played_alone
from longtrail.tasks.cases import Planned

LOOK = 0.5
"""Seconds between two checks, while waiting for a result, of whether the worker was given more cases."""
AHEAD = 3
"""Maximum number of cases begun before their tests run, for each episode that may run at once: a slow case doesn't keep
others from beginning, and little is lost if the session is ended."""
PATIENCE = 3.0
"""Seconds for running episodes to notice that the session ends. An episode that waits for its model can't notice it."""
UNITS_KEPT = 8
"""Number of finished units whose first part is kept: tests that are assigned again may need it."""


@dataclass(frozen=True)
class Place:
    """A test and its case."""

    nodeid: str
    planned: Planned


@dataclass
class Job:
    """One unit that a thread plays."""

    todo: deque[tuple[Place, EpisodeContext]] = field(default_factory=deque)
    first_parts: FirstPartCache = field(default_factory=FirstPartCache)
    thread: threading.Thread | None = None
    now: str = ""
    """The case that is being played."""
    alone: bool = False
    """Whether no other unit may be played meanwhile."""


class Player:
    """The player of one worker. Everything except `_work` runs in the thread of its tests."""

    def __init__(
        self,
        run: Run,
        episodes: int,
        unit_of: Callable[[Planned], str],
        context: Callable[[Planned, FirstPartCache], EpisodeContext],
        begin: Callable[[EpisodeContext], object] = lambda _: None,
        judge: ModelClient | None = None,
    ) -> None:
        """`context` makes what an episode needs; `begin` is called in the thread that plays it."""
        self._run, self._episodes, self._judge = run, episodes, judge
        self._unit_of, self._context, self._begin = unit_of, context, begin
        self._jobs: OrderedDict[str, Job] = OrderedDict()
        self._begun: set[str] = set()
        self._ended: set[str] = set()
        """Cases."""
        self._played: dict[str, Result | BaseException] = {}
        """Test -> what became of its case."""
        self._changed = threading.Condition()
        self._over = False
        self._saved = 0
        """Number of records that are being written."""
        self._stopped = ""
        """Why the whole run ends: no other case is begun."""

    @property
    def window(self) -> int:
        """How many of the next tests are considered."""
        return AHEAD * self._episodes

    def result(self, test: Place, coming: Callable[[], Sequence[Place]]) -> Result | None:
        """The result of this test's case, once it was played; None: another test with the same case has it. `coming`:
        the next tests whose cases may be played early, at most `window`, this one first. Raises what playing it raised;
        UsageError if the run ends and the case was not begun; SessionOver if the session ends.
        """
        case = test.planned.case.id
        with self._changed:
            while case not in self._ended:
                self._check()
                if not self._must_stop():
                    self._fill(coming())
                elif case not in self._begun:
                    raise UsageError(self._stopped)
                if case not in self._ended:
                    self._changed.wait(LOOK)
            found = self._played.pop(test.nodeid, None)
        if isinstance(found, BaseException):
            raise found
        return found

    def _must_stop(self) -> str:
        """Why the whole run ends, as this worker or another one found; empty while it continues."""
        self._stopped = self._stopped or self._run.stop_reason
        return self._stopped

    def _fill(self, coming: Sequence[Place]) -> None:
        """Begin cases while there is room. A running unit also plays those of its cases that are known only later."""
        for place in coming:
            case = place.planned.case.id
            if case in self._begun:
                continue
            busy, alone = self._under_way(), to_be_played_alone(self._run.folder, case)
            if busy and (alone or any(job.alone for job in busy)):
                return  # nothing later may begin before it, or it could wait for ever
            unit = self._unit_of(place.planned)
            job = self._jobs.get(unit)
            if not (job and job.thread) and len(busy) >= self._episodes:
                continue
            job = self._jobs.setdefault(unit, Job())
            self._begun.add(case)
            self._begin_case(place, job, unit, alone)

    def _begin_case(self, place: Place, job: Job, unit: str, alone: bool) -> None:
        """Let the unit's thread play a case, and start it if it isn't running. If that fails, this is what became of
        the case: an error here would end the test of another one."""
        try:
            job.todo.append((place, self._watched(self._context(place.planned, job.first_parts))))
            if job.thread is None:
                self._jobs.move_to_end(unit)
                thread = threading.Thread(target=self._work, args=(job,), name="longtrail-episode", daemon=True)
                job.thread, job.alone = thread, alone
                thread.start()
        except Exception as error:  # noqa: BLE001 (the test raises it)
            if job.thread is not None and not job.thread.is_alive():
                job.thread = None
                job.todo.clear()
            self._end(place, error)

    def _under_way(self) -> list[Job]:
        return [job for job in self._jobs.values() if job.thread is not None]

    def _work(self, job: Job) -> None:
        """Play a unit's cases. Runs in a thread of its own."""
        while True:
            with self._changed:
                if self._over or not job.todo:
                    job.thread = None
                    self._changed.notify_all()
                    self._forget()
                    return
                place, context = job.todo.popleft()
                job.now = place.planned.case.id
            found: Result | BaseException
            try:
                found = self._result_of(place, context)
            except BaseException as error:  # noqa: BLE001 (the test raises it)
                found = error
            try:
                if isinstance(found, UsageError):
                    with suppress(HarnessTrouble):  # a full disk must not keep this worker from ending
                        self._run.stop(str(found))
            finally:
                with self._changed:
                    self._end(place, found)

    def _result_of(self, place: Place, context: EpisodeContext) -> Result:
        if self._must_stop():
            raise UsageError(self._stopped)
        self._begin(context)
        known = recorded(place.planned, self._run)
        return known or evaluate(place.planned, context, self._run, self._judge, self._saving)

    @contextmanager
    def _saving(self) -> Iterator[None]:
        """Within it, `close` waits. Raises SessionOver after `close`: a record that is written after the results were
        collected looks like a changed file. (A result that is written late is the one that was computed meanwhile.)"""
        with self._changed:
            self._check()
            self._saved += 1
        try:
            yield
        finally:
            with self._changed:
                self._saved -= 1
                self._changed.notify_all()

    def _end(self, place: Place, found: Result | BaseException) -> None:
        """Set what became of a case. The caller holds the lock."""
        if isinstance(found, UsageError):  # it concerns the whole run: no other case is begun
            self._stopped = self._stopped or str(found)
        self._ended.add(place.planned.case.id)
        self._played[place.nodeid] = found
        self._changed.notify_all()

    def _forget(self) -> None:
        """Free the first parts of units that ended long ago."""
        ended = [unit for unit, job in self._jobs.items() if job.thread is None]
        for unit in ended[:-UNITS_KEPT]:
            self._jobs.pop(unit).first_parts.close()

    def _watched(self, context: EpisodeContext) -> EpisodeContext:
        """The context of an episode that gives up without a record when the session is over."""
        told = context.stop_reason

        def stop_reason() -> str:
            self._check()
            return told()

        model = None if context.model is None else _WatchedModel(context.model, self._check)
        return replace(context, stop_reason=stop_reason, model=model)

    def _check(self) -> None:
        if self._over:
            raise SessionOver
        check_session(self._run.folder)

    def close(self) -> None:
        """Give up all running episodes. May be called again."""
        with self._changed:
            patience, self._over = 0.0 if self._over else PATIENCE, True
            self._changed.wait_for(lambda: not self._saved)
            jobs = [(job, job.thread) for job in self._jobs.values()]
        until = time.monotonic() + patience
        for job, thread in jobs:
            if thread is not None:
                thread.join(max(0.0, until - time.monotonic()))
                if thread.is_alive():
                    no_longer_under_way(self._run.folder, job.now)
                    continue
            job.first_parts.close()


@dataclass(frozen=True)
class _WatchedModel:
    """A model whose late answers are discarded."""

    inner: ModelClient
    check: Callable[[], None]

    @property
    def name(self) -> str:
        return self.inner.name

    @property
    def vision(self) -> bool:
        return self.inner.vision

    def complete(self, messages: tuple[Message, ...], *, max_tokens: int = 1024, json: bool = False) -> Reply:
        """Like the inner client's method."""
        self.check()
        try:
            return self.inner.complete(messages, max_tokens=max_tokens, json=json)
        finally:
            self.check()
