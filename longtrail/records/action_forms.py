"""Action forms: the JSON form of each action as agents see it, and the error message for an invalid action."""

from collections.abc import Iterable
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from longtrail.records.action import ACTION, Action

FORMS: dict[str, str] = {
    "goto": '{"type": "goto", "url": "https://..."}',
    "click": '{"type": "click", "id": "12"}',
    "fill": '{"type": "fill", "id": "12", "text": "...", "enter": true}',
    "select": '{"type": "select", "id": "12", "option": "..."}',
    "search": '{"type": "search", "query": "..."}',
    "back": '{"type": "back"}',
    "scroll": '{"type": "scroll", "direction": "down"}',
    "finish": '{"type": "finish", "answer": "..."}',
    "decide": '{"type": "decide", "decision": "...", "justification": "...", '
    '"evidence": [{"source": "...", "quote": "...", "shows": "...", "use": "for"}], "response": "..."}',
    "gesture": '{"type": "gesture", "name": "press", "id": "12", "text": "Control+a"}',
}
"""Type of an action -> its JSON form with every field."""
_FIELDS: dict[str, tuple[str, ...]] = {
    kind.model_fields["type"].default: tuple(name for name in kind.model_fields if name != "type")
    for kind in get_args(get_args(Action)[0])
    if issubclass(kind, BaseModel)
}


def forms(types: Iterable[str]) -> dict[str, str]:
    """The forms of some types of actions, in their order."""
    return {kind: FORMS[kind] for kind in types}


def read_action(fields: Any, allowed: Iterable[str] = tuple(FORMS)) -> tuple[Action | None, str]:
    """The action in a JSON value; or None and the error in one line: the field, and the expected form."""
    types = tuple(allowed)
    if not isinstance(fields, dict):
        return None, f"an action is a JSON object with a type; the types are {', '.join(types)}"
    kind = fields.get("type")
    if kind not in types:
        return None, f"there is no action {str(kind)[:40]!r}; the types are {', '.join(types)}"
    try:
        return ACTION.validate_python(fields), ""
    except ValidationError as error:
        return None, _problem(str(kind), error)


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
