"""Rubric: a criterion of a task on an own app that a model judges (`judge` in the task, `--judge` on the command line).

The judge is asked several times, and the majority counts. How often its answers agree is a measure of its own. The
answers are recorded when the episode ends, so that scoring stays a pure function of files.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from longtrail.errors import HarnessTrouble
from longtrail.llm.client import Message, ModelClient
from longtrail.llm.secrets import redact
from longtrail.llm.tokens import count
from longtrail.records.action import Decide, Finish
from longtrail.records.site_reports import RUBRIC, RUBRIC_TIMES, Reading
from longtrail.records.trajectory import JudgeUsage, Trajectory, Trouble, Usage
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.briefing import prompt_templates

if TYPE_CHECKING:
    import jinja2

PAGE_TOKENS = 12_000
"""Maximum tokens of the pages that the judge reads, the last ones first."""
ANSWER_TOKENS = 1_000
MAX_REASON = 300
"""Maximum characters of a reason."""


def with_rubric(task: AppTask, trajectory: Trajectory, model: ModelClient) -> Trajectory:
    """The episode with the judge's answers on the task's rubric; unchanged if it has none.

    If the judge can't be asked or gives no readable answer, the episode is invalid: that is not the agent's failure.
    Raises UsageError for what concerns the whole run (a rejected key).
    """
    if not task.judge or not trajectory.valid:
        return trajectory
    usage, reported, answers = Usage(), "", []
    for time in range(1, RUBRIC_TIMES + 1):
        try:
            reply = model.complete(messages(task, trajectory, time), max_tokens=ANSWER_TOKENS, json=True)
        except HarnessTrouble as error:
            return trajectory.model_copy(update={"trouble": Trouble(kind=error.kind, message=error.message)})
        usage, reported = usage + reply.usage, reply.model
        answer = _read(reply.text)
        if answer is None:
            message = "the judge's answer is not the JSON object that was asked for"
            return trajectory.model_copy(update={"trouble": Trouble(kind="evaluator_error", message=message)})
        answers.append(answer)
    met = [answer for answer in answers if answer["met"]]
    majority = met if 2 * len(met) > RUBRIC_TIMES else [answer for answer in answers if not answer["met"]]
    reading = Reading(name=RUBRIC, value=len(met), note=redact(majority[0]["reason"])[:MAX_REASON])
    opinion = JudgeUsage(model=model.name, model_reported=reported, usage=usage)
    return trajectory.model_copy(update={"readings": (*trajectory.readings, reading), "opinion": opinion})


def messages(task: AppTask, trajectory: Trajectory, time: int) -> tuple[Message, ...]:
    """The prompt for the judge's answer number `time`, from 1."""
    question = _template("rubric.j2").render(
        instruction=task.instruction,
        rubric=task.judge,
        answer=_answer(trajectory),
        actions=[step.action.model_dump_json(exclude_defaults=True) for step in trajectory.steps if step.action],
        pages=list(_last_pages(trajectory)),
        time=time,
        times=RUBRIC_TIMES,
    )
    return Message(role="system", text=_template("rubric_system.j2").render()), Message(role="user", text=question)


def _answer(trajectory: Trajectory) -> str:
    last = trajectory.steps[-1].action if trajectory.steps else None
    if isinstance(last, Finish):
        return last.answer
    return (
        "\n".join(filter(None, (last.decision, last.justification, last.response))) if isinstance(last, Decide) else ""
    )


def _last_pages(trajectory: Trajectory) -> Iterator[str]:
    """The texts of the pages that the agent was shown last, each once, the latest first."""
    room = PAGE_TOKENS
    texts = dict.fromkeys(step.observation.text for step in reversed(trajectory.steps))
    for text in texts:
        room -= count(text)
        if room < 0:
            return
        yield text


def _read(text: str) -> dict[str, Any] | None:
    """What stands between the first and the last brace of the judge's answer; None if that is no verdict."""
    try:
        answer = json.loads(text[text.find("{") : text.rfind("}") + 1])
    except (ValueError, RecursionError):
        return None
    if not isinstance(answer, dict) or not isinstance(answer.get("met"), bool):
        return None
    return {"met": answer["met"], "reason": str(answer.get("reason", ""))}


@cache
def _template(name: str) -> "jinja2.Template":
    return prompt_templates(Path(__file__).with_name("prompts")).get_template(name)
