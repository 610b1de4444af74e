"""Deaths: decides what happens to a case whose worker died while playing it, on any machine.

It is recorded as invalid (`worker_crash`) and played again, at most twice, if the worker ran none of the
agent's code. If it did, the cause is unknown, and the case stays invalid. If such a worker was playing several cases,
one of them may have ended all: they are played again, each alone, and only a case whose worker dies then stays
invalid. If the whole machine was lost, nothing is recorded, because the agent can't have caused that. A run in which
workers only die is ended.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Literal

from longtrail.agents.spec import AgentSpec
from longtrail.options.plan import contender_of
from longtrail.options.run_options import Options
from longtrail.pytest_plugin.crash_record import record_crash
from longtrail.records.result import Result
from longtrail.runs.store import Run
from longtrail.tasks.cases import Planned

Fate = Literal["again", "finished", "given up"]
"""What happens to the first test that a dead worker had not finished."""
CRASHES_IN_A_ROW = 12
"""This many workers (or four times their number, if that is more) may die without a finished case in between."""
MAX_CRASHES = 3
"""After this many deaths of its worker, a case is not played again in this session."""


class Deaths:
    """The deaths of one session's workers."""

    def __init__(self, run: Run, options: Options, cases: Mapping[str, Planned], workers: int) -> None:
        """`cases`: by node id of the tests that carry them."""
        self._run, self._options, self._cases, self._workers = run, options, cases, workers
        self._crashes: Counter[str] = Counter()
        self._in_a_row = 0
        self.given_up: dict[str, Result] = {}
        """Node id of a test that is not played again -> its case's result."""

    def case_finished(self) -> None:
        """The run makes progress."""
        self._in_a_row = 0

    def worker_died(self) -> str:
        """Count a death. Returns why the run must end, or an empty text."""
        self._in_a_row += 1
        if self._in_a_row < max(CRASHES_IN_A_ROW, 4 * self._workers):
            return ""
        return f"{self._in_a_row} workers ended one after the other, and no case was finished in between"

    def fate(self, nodeid: str, *, machine_too: bool = False, several: bool = False) -> Fate:
        """The fate of a test that had begun; `several`: together with others. Raises HarnessTrouble, OSError if the
        record can't be written."""
        planned = self._cases[nodeid]
        if machine_too or self._run.recorded(planned.case.id) is not None:
            return "again"  # a worker that finds the record reports it, and plays nothing
        self._crashes[nodeid] += 1
        contender = contender_of(planned, self._options)
        self.given_up[nodeid] = record_crash(planned, contender, self._run, self._options)
        last = self._crashes[nodeid] >= MAX_CRASHES or (self._its_code(nodeid) and not several)
        return "given up" if last else "again"

    def suspected(self, nodeid: str) -> bool:
        """Whether a case may have ended its worker, so that it must be played alone if it is played again."""
        return self._its_code(nodeid) or self._crashes[nodeid] > 1

    def _its_code(self, nodeid: str) -> bool:
        """Whether the agent's code runs in the worker."""
        spec = AgentSpec.parse(contender_of(self._cases[nodeid], self._options).agent)
        return spec.trust() == "in-process" and not spec.built_in
