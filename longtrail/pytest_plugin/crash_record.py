"""Crash record: the record of a case whose worker died while playing it, written by the controller."""

from longtrail.options.run_options import Options
from longtrail.records.case import LONG
from longtrail.records.result import Result
from longtrail.records.trajectory import Contender, End, Provenance, Trajectory, Trouble
from longtrail.report.trace.page import write_trace
from longtrail.report.trace.step_list import write_steps
from longtrail.runs.scored_cases import ScoredCases
from longtrail.runs.store import Run
from longtrail.tasks.cases import Planned
from longtrail.tasks.loading import checksum

CRASHED = "the worker ended while playing the case: it was killed, ran out of memory, or the agent's code ended it"


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
    result = ScoredCases(run, {planned.task.id: planned.task}).score(trajectory)
    write_trace(trajectory, result, planned.task, run.traces)
    write_steps(trajectory, run.folder)
    return result
