"""Action forms: the JSON form of each action as agents see it (`actions.yaml`), which actions are in force, and reading
an action."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from longtrail.records.action import ACTION, Action, Scroll
from longtrail.records.case import ActionSet
from longtrail.records.full_actions import FullAction
from longtrail.yaml_file import read_yaml

_ACTIONS: dict[str, dict[str, str]] = read_yaml(Path(__file__).with_name("actions.yaml"))
FORMS = {kind: entry["form"] for kind, entry in _ACTIONS.items()}
"""Type of an action -> its JSON form."""
EXPLANATIONS = {kind: entry["explanation"] for kind, entry in _ACTIONS.items()}
"""Type of an action -> what it does, as prompts say it."""
IN_FULL_SET = {kind: (entry["full_form"], entry["in_full"]) for kind, entry in _ACTIONS.items() if "in_full" in entry}
"""Actions of the paper with further fields in the full set: form and explanation."""
SHIFT_FORMS = {kind: entry["shift_form"] for kind, entry in _ACTIONS.items() if "shift_form" in entry}
"""The forms that differ in a shift."""
PAPER = ("goto", "click", "fill", "select", "search", "back", "scroll")
"""The seven actions of the long-context paper."""
FULL = tuple(kind.model_fields["type"].default for kind in get_args(FullAction))
"""What `--actions full` adds."""
KINDS: dict[str, type[BaseModel]] = {kind.model_fields["type"].default: kind for kind in get_args(get_args(Action)[0])}
"""Type of an action -> its class."""
_FIELDS = {name: tuple(field for field in kind.model_fields if field != "type") for name, kind in KINDS.items()}


def types_in_force(
    actions: ActionSet, *, searches: bool = True, sees: bool = False, decides: bool = False
) -> tuple[str, ...]:
    """The types of actions that an agent may use. `searches`: there is a web to search; `sees`: it gets screenshots;
    `decides`: the task ends with a decision."""
    types = (*PAPER, *(FULL if actions == "full" else ()), "finish", *(("decide",) if decides else ()))
    left_out = {*(() if searches else ("search",)), *(() if sees else ("mouse",))}
    return tuple(kind for kind in types if kind not in left_out)


def forms(types: Iterable[str]) -> dict[str, str]:
    """The forms of some types of actions, in their order."""
    types = tuple(types)
    return {kind: IN_FULL_SET[kind][0] if kind in IN_FULL_SET and _is_full(types) else FORMS[kind] for kind in types}


def explanations(actions: Mapping[str, str]) -> list[str]:
    """One line for each action: its form, and what it does."""
    full = {kind: line for kind, (_, line) in IN_FULL_SET.items() if _is_full(actions)}
    return [f"{form} {full.get(kind, EXPLANATIONS[kind])}" for kind, form in actions.items()]


def _is_full(types: Collection[str]) -> bool:
    return not set(FULL).isdisjoint(types)


def refusal(action: Action, allowed: Iterable[str]) -> str:
    """Why an action is not in force, in one line; empty if it is."""
    types = tuple(allowed)
    if action.type not in types:
        return _not_in_force(action.type, types)
    if isinstance(action, Scroll) and action.id and not _is_full(types):
        return "scroll takes no id here: only the page can be scrolled (boxes need --actions full)"
    return ""


def _not_in_force(kind: str, types: Collection[str]) -> str:
    if kind == "mouse" and _is_full(types):
        return "mouse is only for agents that get screenshots; use click with an id"
    if kind in FULL:
        return f"{kind} is only possible with --actions full; here use {', '.join(types)}"
    return f"{kind} is not possible here; use {', '.join(types)}"


def read_action(fields: Any, allowed: Iterable[str] = tuple(FORMS)) -> tuple[Action | None, str]:
    """The action in a JSON value; or None and the error in one line: the field, and the expected form."""
    types = tuple(allowed)
    if not isinstance(fields, dict):
        return None, f"an action is a JSON object with a type; the types are {', '.join(types)}"
    kind = fields.get("type")
    if kind not in types:
        if kind in FULL:
            return None, _not_in_force(str(kind), types)
        return None, f"there is no action {str(kind)[:40]!r}; the types are {', '.join(types)}"
    try:
        action = ACTION.validate_python(fields)
    except ValidationError as error:
        return None, _problem(str(kind), error)
    problem = refusal(action, types)
    return (None, problem) if problem else (action, "")


def _problem(kind: str, error: ValidationError) -> str:
    """The first problem, e.g. ``fill has no field `submit`; it takes id, text, enter``."""
    first = error.errors(include_url=False, include_input=False)[0]
    field = ".".join(str(part) for part in first["loc"] if part != kind)
    takes = f"it takes {', '.join(_FIELDS[kind])}" if _FIELDS[kind] else "it takes no fields"
    form = f"; the form is {FORMS[kind]}"
    if first["type"] == "extra_forbidden" and "." not in field:
        return f"{kind} has no field `{field[:40]}`; {takes}"
    if first["type"] == "missing" and "." not in field:
        return f"{kind} lacks the field `{field}`; {takes}{form}"
    return f"{kind}: `{field[:60]}`: {first['msg']}{form}"
