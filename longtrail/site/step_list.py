"""Step list: a short list of an episode's steps in a script file, for the page that compares two episodes."""

import json
from pathlib import Path

from longtrail.records.action import Decide
from longtrail.records.memory import describe
from longtrail.records.trajectory import Step, Trajectory
from longtrail.report.template_page import write
from longtrail.report.text import clip, visible
from longtrail.runs.store import Run, file_stem

FOLDER = "steps"
THOUGHT, WORDS = 400, 300


def write_steps(trajectory: Trajectory, run: Path) -> Path:
    """Write one episode's list into its run's folder."""
    return write(run / FOLDER / f"{file_stem(trajectory.case.id)}.js", step_script(trajectory))


def write_missing_steps(run: Run) -> None:
    """Write the missing lists of a run of an earlier version. Reads only the episodes without a list."""
    for stem, files in run.attempts().items():
        if not (run.folder / FOLDER / f"{stem}.js").is_file() and (trajectory := run.latest(files)) is not None:
            write_steps(trajectory, run.folder)


def step_script(trajectory: Trajectory) -> str:
    """One call with a row for each step: phase, action, resulting address, whether it worked, thought."""
    rows = [_row(step) for step in trajectory.steps]
    return f"longtrailSteps({json.dumps([trajectory.case.id, rows], separators=(',', ':'))});\n"


def _row(step: Step) -> list[object]:
    action, target = step.action, step.outcome.target
    if isinstance(action, Decide):
        words = f"decide {action.decision}: {action.justification}"
    else:
        words = describe(action, target.role if target else "", target.name if target else "")
    thought = clip(" ".join(step.thought.split()), THOUGHT)
    return [
        step.phase,
        *map(visible, (clip(words, WORDS), clip(step.outcome.url, WORDS))),
        step.outcome.ok,
        visible(thought),
    ]
