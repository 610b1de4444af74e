"""Evaluate: one case from its plan to its result, with everything that is kept of it written down."""

from longtrail.episode.context import EpisodeContext
from longtrail.episode.runner import run_case
from longtrail.records.result import Result
from longtrail.report.trace import write_trace
from longtrail.runs.scored_cases import ScoredCases
from longtrail.runs.store import Run
from longtrail.tasks.cases import Planned


def evaluate(planned: Planned, context: EpisodeContext, run: Run) -> Result:
    """Play a case, write every attempt and the trace, and score it. Attempts of before stay as they are."""
    first = 1 + max(run.attempts_at(planned.case.id), default=-1)
    trajectory = run_case(planned.case, planned.task, context, run.write_episode, first)
    result = ScoredCases(run, {planned.task.id: planned.task}).score(trajectory)
    write_trace(trajectory, result, planned.task, run.traces)
    return result


def recorded(planned: Planned, run: Run) -> Result | None:
    """The result of a case that was played before; None if it was not, or only invalid."""
    return ScoredCases(run, {planned.task.id: planned.task}).recorded(planned.case.id)
