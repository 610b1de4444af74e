"""Briefing: the prompt of a task under a prompt condition (Jinja files in data/prompts)."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from longtrail.checks.decisions import decision_words
from longtrail.errors import DataError
from longtrail.paths import DATA
from longtrail.records.case import Case, Prompt, ShiftMode
from longtrail.tasks.app_task import AppTask
from longtrail.tasks.shifts.shift import ShiftTask
from longtrail.tasks.task import DecisionTask, Task
from longtrail.yaml_file import read_yaml

PLANS = DATA / "prompts" / "plans.yaml"

if TYPE_CHECKING:
    import jinja2


def prompt_templates(folder: Path, *, keep_trailing_newline: bool = False) -> "jinja2.Environment":
    """The Jinja templates of a folder, for prompts. A missing variable is an error; values are inserted unchanged."""
    import jinja2  # imported here, so code that renders nothing does not load it

    return jinja2.Environment(  # noqa: S701 (plain text for models, not HTML)
        loader=jinja2.FileSystemLoader(folder),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=keep_trailing_newline,
    )


@cache
def _templates() -> "jinja2.Environment":
    return prompt_templates(DATA / "prompts")


def briefing(task: DecisionTask, condition: Prompt, decisions: Mapping[str, str], placement: str = "") -> str:
    """The prompt of a decision task: the trigger, guidance by condition, and every decision of the suite.

    `decisions` maps each of the suite's decision words to its meaning in one line. `placement` says what was told
    before the noise of a long history, if anything.
    """
    return _deciding(task.trigger, decisions, condition, guidance(task, condition), placement)


def guidance(task: DecisionTask, condition: str | None) -> str:
    """What a condition adds to the trigger: nothing, the hint, or the plan."""
    if condition == "hint":
        return task.prompts.hint
    return guidance_plan_of(task) if condition == "explicit" else ""


def _deciding(
    trigger: str, decisions: Mapping[str, str], condition: Prompt = "raw", advice: str = "", placement: str = ""
) -> str:
    fields = {"trigger": trigger.strip(), "condition": condition, "guidance": advice.strip(), "placement": placement}
    return _templates().get_template("decision.j2").render(**fields, decisions=decisions).strip()


def decisions_of(task: Task) -> Mapping[str, str]:
    """Every decision that an agent may give in a task -> its meaning in one line; empty for tasks without a
    decision."""
    if isinstance(task, AppTask):
        return task.decision.options if task.decision else {}
    return decision_words(task.suite) if isinstance(task, DecisionTask | ShiftTask) else {}


def case_prompt(task: Task, case: Case) -> str:
    """What the agent is told in a decision task under the case's condition (by default `raw`), or in a task on a
    user's own app; otherwise empty.

    Guidance that was given before the noise (`lost_guidance`) is not repeated; the prompt only says that it was given.
    """
    if isinstance(task, AppTask):
        return _deciding(task.instruction, decisions_of(task)) if task.decision else task.instruction.strip()
    if isinstance(task, ShiftTask):
        return shift_prompt(task, case.shift or "continuous", case.notebook)
    if not isinstance(task, DecisionTask):
        return ""
    condition = "raw" if case.placement == "lost_guidance" else case.prompt or "raw"
    return briefing(task, condition, decision_words(task.suite), case.placement or "")


def appeal_prompt(message: str) -> str:
    """A turn of an appeal as the agent gets it. Each turn says that a decision is expected again."""
    return f"{message.strip()}\n\n{AGAIN}"


AGAIN = "Give your decision again with the `decide` action, whether it is the same one or another."


def shift_prompt(task: ShiftTask, mode: ShiftMode, size: int | None = None) -> str:
    """What the agent is told at the start of a shift, or of each of its sessions. `size`: of the notebook."""
    fields = {"size": task.size, "start": task.start, "steps": task.step_limit, "per_ticket": task.steps_per_ticket}
    fields |= {"domain": task.domain, "decisions": decision_words(task.suite)}
    template = _templates().get_template("shift.j2")
    return template.render(**fields, in_sessions=mode == "sessions", notebook=size).strip()


def earlier_turns_text(task: DecisionTask, case: Case) -> str:
    """The prompt before the noise: the case with its guidance, or the instruction to begin the investigation."""
    advice = guidance(task, case.prompt).strip()
    fields = {"trigger": task.trigger.strip(), "condition": case.prompt, "guidance": advice}
    return _templates().get_template("earlier_turns_text.j2").render(placement=case.placement, **fields).strip()


@cache
def _plans() -> Mapping[str, Mapping[str, str]]:
    """Suite -> kind of case -> plan."""
    return {
        suite: {kind.strip(): plan for kinds, plan in plans.items() for kind in kinds.split(",")}
        for suite, plans in read_yaml(PLANS).items()
    }


def kind_of(task: DecisionTask) -> str:
    """The kind of case that a task is, by which its plan is chosen."""
    given = task.policy.get("given", {})
    if task.suite == "shopping_admin":
        return str(given.get("claim"))
    if task.suite == "hard_shop":
        return task.category
    return "claim with a picture" if given.get("picture") else str(given.get("matter"))


def guidance_plan_of(task: DecisionTask) -> str:
    """Where to look in a task, and what to do with each thing that may be there. Raises DataError if there is no plan
    for its kind of case."""
    plans, kind = _plans()[task.suite], kind_of(task)
    if kind not in plans:
        raise DataError(PLANS, f"{task.suite}.{kind}", f"no plan for {task.id}; there are plans for {', '.join(plans)}")
    return plans[kind]
