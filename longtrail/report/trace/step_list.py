"""Step list: a short list of an episode's steps in a script file, for the page that compares two episodes."""

import json
from pathlib import Path

from longtrail.records.action import Decide
from longtrail.records.memory import describe
from longtrail.records.trajectory import Step, Trajectory
from longtrail.report.template_page import write
from longtrail.report.text import clip, visible
from longtrail.report.trace.story import Story
from longtrail.runs.attempts import file_stem

FOLDER = "steps"
THOUGHT, WORDS, STORY = 400, 300, 1_200


def write_steps(trajectory: Trajectory, run: Path, summary: Story | None = None) -> Path:
    """Write one episode's list below its run's folder; with what came of it, where that is known."""
    return write(run / FOLDER / f"{file_stem(trajectory.case.id)}.js", step_script(trajectory, summary))


def step_script(trajectory: Trajectory, summary: Story | None = None) -> str:
    """One call with a row for each step: phase, what was done, where that led, whether it worked, the thought; then,
    where it is known, the outcome in words and the step that tells most (from 1)."""
    arguments: list[object] = [trajectory.case.id, [_row(step) for step in trajectory.steps]]
    arguments += [visible(clip(summary.text, STORY)), summary.decisive_step] if summary else []
    return f"longtrailSteps({json.dumps(arguments, separators=(',', ':'))});\n"


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
