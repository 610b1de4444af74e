"""Evaluate: plays and scores one planned case and saves its records."""

from dataclasses import replace

from longtrail.episode.context import EpisodeContext
from longtrail.episode.runner import run_case
from longtrail.llm.client import ModelClient
from longtrail.records.result import Result
from longtrail.records.trajectory import Trajectory
from longtrail.report.trace.page import write_trace
from longtrail.report.trace.step_list import write_steps
from longtrail.report.trace.story import story
from longtrail.runs.scored_cases import ScoredCases
from longtrail.runs.store import Run
from longtrail.runs.under_way import under_way
from longtrail.scoring.second_opinion import with_opinion
from longtrail.tasks.cases import Planned
from longtrail.tasks.task import Task


def evaluate(
    planned: Planned,
    context: EpisodeContext,
    run: Run,
    judge: ModelClient | None = None,
) -> Result:
    """Play a case, write every attempt and the trace, and score it. Earlier attempts are kept.

    `judge` gives a second opinion on each decision, before the episode is written.
    """
    first = 1 + max(run.attempts_at(planned.case.id), default=-1)

    def review(trajectory: Trajectory) -> Trajectory:
        if judge is None:
            return trajectory
        asked = context.cassette.around(judge, planned.case.repeat) if context.cassette else judge
        return with_opinion(planned.task, trajectory, asked)

    with under_way(run.folder, planned.case.id) as mark:
        keep = context.save_shot

        def save(image: bytes) -> str:
            assert keep is not None
            name = keep(image)
            mark.shot(name)
            return name

        watched = replace(context, save_shot=save if keep else None, on_step=mark.step)
        trajectory = run_case(planned.case, planned.task, watched, run.write_episode, first, review)
    return save_result(trajectory, planned.task, run)


def save_result(trajectory: Trajectory, task: Task, run: Run) -> Result:
    """Score a trajectory that is written, and write its result and pages. The only place where that is done."""
    result = ScoredCases(run, {task.id: task}).score(trajectory)
    write_trace(trajectory, result, task, run.traces)
    write_steps(trajectory, run.folder, story(trajectory, result, task))
    return result


def recorded(planned: Planned, run: Run) -> Result | None:
    """The result of a case that was played before; None if it was not, or only invalid."""
    return ScoredCases(run, {planned.task.id: planned.task}).recorded(planned.case.id)
