"""Briefing: the words an agent is given for a task under a prompt condition (Jinja files in data/prompts)."""

from functools import cache
from typing import TYPE_CHECKING, Literal

from longtrail.checks.decisions import decision_words
from longtrail.paths import DATA
from longtrail.records.trajectory import Case
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.task import DecisionTask, Task
from longtrail.text.prompt_templates import prompt_templates

if TYPE_CHECKING:
    from collections.abc import Mapping

    import jinja2

Condition = Literal["raw", "hint", "explicit"]


@cache
def _templates() -> "jinja2.Environment":
    return prompt_templates(DATA / "prompts")


def briefing(task: DecisionTask, condition: Condition, decisions: "Mapping[str, str]") -> str:
    """The prompt of a decision task: the trigger, guidance by condition, and every decision of the suite.

    `decisions` maps each decision word to its meaning in a line; all of the suite's are shown, whatever the category.
    """
    guidance = {"raw": "", "hint": task.prompts.hint, "explicit": task.prompts.explicit}[condition]
    return _deciding(task.trigger, decisions, condition, guidance)


def _deciding(trigger: str, decisions: "Mapping[str, str]", condition: Condition = "raw", guidance: str = "") -> str:
    words = {"trigger": trigger.strip(), "condition": condition, "guidance": guidance.strip(), "decisions": decisions}
    return _templates().get_template("decision.j2").render(words).strip()


def decisions_of(task: Task) -> "Mapping[str, str]":
    """Every decision that an agent may give in a task -> its meaning in a line; none where nothing is to be decided."""
    if isinstance(task, AppTask):
        return task.decision.options if task.decision else {}
    return decision_words(task.suite) if isinstance(task, DecisionTask) else {}


def case_prompt(task: Task, case: Case) -> str:
    """What the agent is told in a decision task under the case's condition (by default `raw`), or in a task on a user's
    own app; else empty."""
    if isinstance(task, AppTask):
        return _deciding(task.instruction, decisions_of(task)) if task.decision else task.instruction.strip()
    if not isinstance(task, DecisionTask):
        return ""
    return briefing(task, case.prompt or "raw", decision_words(task.suite))
