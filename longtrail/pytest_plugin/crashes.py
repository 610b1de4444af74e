"""Crashes: what happens to a case whose worker crashed while playing it, on any machine.

The crash is recorded as an invalid attempt (`worker_crash`). The case is played again, at most twice, if the worker ran
none of the agent's code. If it did, the agent may have ended it, and the case stays invalid. If the whole machine was
lost, nothing is recorded, because the agent can't have caused that. A run in which workers only crash is ended.
"""

from collections import Counter
from collections.abc import Mapping

from longtrail.agents.spec import AgentSpec
from longtrail.options.plan import contender_of
from longtrail.options.run_options import Options
from longtrail.pytest_plugin.evaluate import save_result
from longtrail.pytest_plugin.scheduling import CrashDecision
from longtrail.records.case import LONG
from longtrail.records.result import Result
from longtrail.records.trajectory import Contender, End, Provenance, Trajectory, Trouble
from longtrail.runs.store import Run
from longtrail.tasks.cases import Planned
from longtrail.tasks.loading import checksum

CRASHES_IN_A_ROW = 12
"""This many workers (or four times their number, if that is more) may crash without a finished case in between."""
MAX_CRASHES = 3
"""After this many crashes of its worker, a case is not played again in this session."""
CRASHED = "the worker ended while playing the case: it was killed, ran out of memory, or the agent's code ended it"


class CrashTracker:
    """The crashes of one session's workers."""

    def __init__(self, run: Run, options: Options, cases: Mapping[str, Planned], workers: int) -> None:
        """`cases`: by node id of the tests that play them."""
        self._run, self._options, self._cases, self._workers = run, options, cases, workers
        self._crashes: Counter[str] = Counter()
        self._in_a_row = 0
        self.given_up: dict[str, Result] = {}
        """Node id of a test that is not run again -> its case's result."""

    def test_finished(self) -> None:
        """The run makes progress."""
        self._in_a_row = 0

    def worker_crashed(self) -> str:
        """Count a crash. Returns why the run must end, or an empty text."""
        self._in_a_row += 1
        if self._in_a_row < max(CRASHES_IN_A_ROW, 4 * self._workers):
            return ""
        return f"{self._in_a_row} workers ended one after the other, and no case was finished in between"

    def decide(self, nodeid: str, *, machine_lost: bool = False) -> CrashDecision:
        """What happens to the test that was running. Raises HarnessTrouble, OSError if the record can't be written."""
        planned = self._cases[nodeid]
        if machine_lost or self._run.recorded(planned.case.id) is not None:
            return "again"  # a worker that finds the record reports it, and plays nothing
        self._crashes[nodeid] += 1
        contender = contender_of(planned, self._options)
        self.given_up[nodeid] = record_crash(planned, contender, self._run, self._options)
        spec = AgentSpec.parse(contender.agent)
        ran_its_code = spec.trust() == "in-process" and not spec.built_in
        return "given up" if ran_its_code or self._crashes[nodeid] >= MAX_CRASHES else "again"


def record_crash(planned: Planned, contender: Contender, run: Run, options: Options) -> Result:
    """Write an invalid attempt (`worker_crash`) after those that the worker wrote, and its result."""
    case, manifest = planned.case, run.manifest
    trajectory = Trajectory(
        case=case,
        contender=contender,
        attempt=1 + max(run.attempts_at(case.id), default=-1),
        provenance=Provenance(
            longtrail=manifest.longtrail,
            data=manifest.data,
            task=checksum(planned.task),
            web=options.web,
            seed=options.seed,
        ),
        prompt="",
        ends=(End(reason="trouble", phase="a1" if case.suite in LONG else "main", detail=CRASHED),),
        trouble=Trouble(kind="worker_crash", message=CRASHED),
    )
    run.write_episode(trajectory)
    return save_result(trajectory, planned.task, run)
