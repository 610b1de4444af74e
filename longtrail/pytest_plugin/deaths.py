"""Deaths: what becomes of a case whose worker died while it played it, wherever the worker was.

It is recorded as invalid (`worker_crash`) and played again, at most twice, if the worker ran no code of the agent's;
where it did, nobody can tell who ended it, and the case stays invalid. A worker whose whole machine is gone leaves no
record: it was nobody's doing. A run in which nothing but deaths happens is ended.
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
"""What becomes of the test that stood first before a worker that died."""
CRASHES_IN_A_ROW = 12
"""So many workers (or four times as many as there are, if that is more) may die without a case finished in between."""
MAX_CRASHES = 3
"""A case whose worker died so often is not played again in this session."""


class Deaths:
    """Those of one session's workers."""

    def __init__(self, run: Run, options: Options, cases: Mapping[str, Planned], workers: int) -> None:
        """`cases`: by node id of the tests that carry them."""
        self._run, self._options, self._cases, self._workers = run, options, cases, workers
        self._crashes: Counter[str] = Counter()
        self._in_a_row = 0
        self.given_up: dict[str, Result] = {}
        """Node id of a test that is not played again -> its case's result."""

    def case_finished(self) -> None:
        """Something goes on."""
        self._in_a_row = 0

    def worker_died(self) -> str:
        """Take note of it; why the run is to end, or nothing."""
        self._in_a_row += 1
        if self._in_a_row < max(CRASHES_IN_A_ROW, 4 * self._workers):
            return ""
        return f"{self._in_a_row} workers ended one after the other, and no case was finished in between"

    def fate(self, nodeid: str, *, machine_too: bool = False) -> Fate:
        """Of a test that had begun. Raises HarnessTrouble, OSError if the case can't be written down."""
        planned = self._cases[nodeid]
        if machine_too or self._run.recorded(planned.case.id) is not None:
            return "again"  # a worker that finds the record reports it, and plays nothing
        self._crashes[nodeid] += 1
        contender = contender_of(planned, self._options)
        self.given_up[nodeid] = record_crash(planned, contender, self._run, self._options)
        spec = AgentSpec.parse(contender.agent)
        its_code = spec.trust() == "in-process" and not spec.built_in
        return "given up" if its_code or self._crashes[nodeid] >= MAX_CRASHES else "again"
