"""The actions as tools (name, description, JSON schema of the fields), and for players that answer in text."""

from functools import cache
from typing import Any, NamedTuple

from longtrail.agents.agent import Assignment, Move
from longtrail.agents.model_answer import move_from
from longtrail.agents.prompt_files import render
from longtrail.llm.client import Reply
from longtrail.records.action_forms import EXPLANATIONS, KINDS, forms, read_action, types_in_force
from longtrail.records.trajectory import Usage
from longtrail.tasks.briefing import decisions_of
from longtrail.tasks.task import Task

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
