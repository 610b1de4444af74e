"""What other tools play: each task of a suite once, under one condition, in one variant; and the actions, as
tools (name, description, JSON schema of the fields) or in text."""

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple, get_args

from longtrail.agents.agent import Assignment, Move
from longtrail.agents.model_answer import move_from
from longtrail.agents.prompt_files import render
from longtrail.errors import UsageError, did_you_mean
from longtrail.llm.client import Reply
from longtrail.records.action_forms import EXPLANATIONS, KINDS, forms, read_action, types_in_force
from longtrail.records.case import LONG, PATHWAYS, Prompt, Suite, check_split, split_of
from longtrail.records.trajectory import Usage
from longtrail.tasks.briefing import case_prompt, decisions_of
from longtrail.tasks.cases import Conditions, PlannedCase, plan
from longtrail.tasks.task import LongContextTask, Task
from longtrail.variants import shipped_tasks

SUITES: tuple[Suite, ...] = (*PATHWAYS, *LONG)
"""The suites that other tools play. (Shifts and the hard tier are played with pytest.)"""


def suite_cases(
    suite: str, *, prompt: str = "raw", length: int = 0, variant: int | None = None
) -> Mapping[str, PlannedCase]:
    """The cases of a suite by id. `prompt` is the condition of decision tasks, `length` the tokens of other
    trajectories between the parts of long-context tasks. Raises UsageError."""
    if suite not in SUITES:
        raise UsageError(f"suite {suite!r}: {did_you_mean(suite, SUITES)} expected one of {', '.join(SUITES)}")
    if prompt not in get_args(Prompt):
        raise UsageError(f"prompt {prompt!r}: expected one of {', '.join(get_args(Prompt))}")
    check_split(split_of(variant), variant)
    if length < 0:
        raise UsageError(f"length {length}: expected a number of tokens, 0 or more")
    tasks = {name: task for name, task in shipped_tasks(variant).items() if task.suite == suite}
    conditions = Conditions(lengths=(length,), prompts=(prompt,), relocated=False, variant=variant)
    return {planned.case.id: planned for planned in plan(tasks, conditions)}


def first_prompt(planned: PlannedCase) -> str:
    """What the agent is told first."""
    task = planned.task
    return task.a1.instruction if isinstance(task, LongContextTask) else case_prompt(task, planned.case)


NOT_OFFERED = {"scroll": {"id"}, "finish": {"handover"}, "decide": {"ticket"}}
"""Fields of actions that are for other suites or sets of actions."""


class ActionTool(NamedTuple):
    """An action as a tool."""

    name: str
    description: str
    parameters: dict[str, Any]
    """JSON schema of an object, without references; each field has a description."""


def tools_of(task: Task) -> tuple[ActionTool, ...]:
    """The actions that a task allows: the paper's, `finish`, and `decide` where there is something to decide."""
    return tuple(_tool(kind) for kind in types_in_force("paper", decides=bool(decisions_of(task))))


def move_of(kind: str, fields: dict[str, Any]) -> Move:
    """The move of a call of a tool. Fields that don't fit make it one without an action; it takes a step as well."""
    action, problem = read_action({"type": kind, **fields})
    return Move(action=action, problem=problem, raw=str(fields) if action is None else "")


@cache
def _tool(kind: str) -> ActionTool:
    schema = KINDS[kind].model_json_schema()
    left_out = {"type", *NOT_OFFERED.get(kind, ())}
    fields = {name: _inline(field, schema) for name, field in schema["properties"].items() if name not in left_out}
    described = {name: {"description": name, **field} for name, field in fields.items()}
    required = schema.get("required", [])
    return ActionTool(kind, EXPLANATIONS[kind], {"type": "object", "properties": described, "required": required})


def _inline(part: Any, schema: dict[str, Any]) -> Any:
    """A part of a schema with what its references name, and without titles."""
    if isinstance(part, list):
        return [_inline(each, schema) for each in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        return _inline(schema["$defs"][part["$ref"].rpartition("/")[2]], schema)
    return {key: _inline(each, schema) for key, each in part.items() if key != "title" or not isinstance(each, str)}


def answer_rules(task: Task) -> str:
    """The system message of our own webagent: how a page reads, the actions, and the form of an answer."""
    decisions = tuple(decisions_of(task))
    actions = forms(types_in_force("paper", decides=bool(decisions)))
    return render("system", vision=False, actions=actions, files=(), decisions=decisions)


def move_from_text(text: str, assignment: Assignment) -> Move:
    """The move in an answer. One without a valid action takes a step, and the next page says what was wrong with it."""
    return move_from(Reply(text=text, usage=Usage(), model=""), assignment)
