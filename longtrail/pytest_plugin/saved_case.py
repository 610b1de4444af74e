"""Saved case: what an episode writes into its run: attempts, screenshots, calls, its result and its pages."""

from collections.abc import Sequence

from longtrail.episode.context import EpisodeContext, Recorder
from longtrail.episode.rubric import with_rubric
from longtrail.episode.runner import MAX_ATTEMPTS, CaseAttempts
from longtrail.llm.cassette import Cassette
from longtrail.llm.client import ModelClient
from longtrail.records.result import Result
from longtrail.records.trajectory import Case, Step, Trajectory
from longtrail.report.trace.page import write_steps, write_trace
from longtrail.report.trace.story import story
from longtrail.runs.model_calls import record_calls
from longtrail.runs.recordings import Recordings
from longtrail.runs.rescore import ScoredCases
from longtrail.runs.store import Run
from longtrail.runs.under_way import CaseMark
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.cases import PlannedCase
from longtrail.tasks.task import Task


def recorder_of(run: Run, mark: CaseMark, cassette: Cassette | None, recordings: Recordings) -> Recorder:
    """Writes an episode's screenshots and model calls into the run's folder, its progress into `mark`, and what
    Playwright records into `recordings`."""

    def save_shot(image: bytes) -> str:
        name = run.save_shot(image)
        mark.shot(name)
        return name

    def wrap_model(model: ModelClient, case: Case, attempt: int, steps: Sequence[Step]) -> ModelClient:
        model = cassette.around(model, case.repeat) if cassette else model
        return record_calls(run.folder, model, case, attempt, steps)

    return Recorder(
        save_shot=save_shot,
        on_step=mark.step,
        wrap_model=wrap_model,
        stop_reason=lambda: run.stop_reason,
        data_checksum=run.manifest.data,
        record_session=recordings.begin,
        files=run.folder / "files",
    )


def case_attempts(
    planned: PlannedCase,
    context: EpisodeContext,
    run: Run,
    *,
    prompt: str | None = None,
    judge: ModelClient | None = None,
    cassette: Cassette | None = None,
    most: int = MAX_ATTEMPTS,
) -> CaseAttempts:
    """The attempts at a case, each written into the run when it ends; earlier ones are kept. A case that is recorded
    already is over. `judge` judges the rubrics of own tasks."""

    def judged(trajectory: Trajectory) -> Trajectory:
        if judge is None or not isinstance(planned.task, AppTask):
            return trajectory
        client = cassette.around(judge, planned.case.repeat) if cassette else judge
        return with_rubric(planned.task, trajectory, client)

    attempts = CaseAttempts(
        planned.case,
        planned.task,
        context,
        run.write_episode,
        1 + max(run.episode_files(planned.case.id), default=-1),
        prompt=prompt,
        most=most,
        judged=judged,
    )
    attempts.trajectory = run.valid_episode(planned.case.id)
    return attempts


def save_result(trajectory: Trajectory, task: Task, run: Run, recordings: Recordings | None = None) -> Result:
    """Score a trajectory that is written, keep what was recorded of it, and write its result and pages. The only place
    where that is done."""
    result = ScoredCases(run, {task.id: task}).score(trajectory)
    if recordings is not None:
        recordings.keep(trajectory, passed=result.outcome == "passed")
    write_trace(trajectory, result, task, run.traces)
    write_steps(trajectory, run.folder, story(trajectory, result, task))
    return result


def saved_result(planned: PlannedCase, run: Run) -> Result | None:
    """The result of a case that was played before; None if it was not, or only invalid."""
    return ScoredCases(run, {planned.task.id: planned.task}).valid_result(planned.case.id)
