"""Model answer: parses a model's text into a thought and one action, or the reason why there is none."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from longtrail.agents.agent import Assignment, Move
from longtrail.llm.client import Reply
from longtrail.records.action import Action, read_action

_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[a-zA-Z]*\s*\n(.*?)```", re.DOTALL)
_ID = re.compile(r"^\s*\[?\s*([0-9]{1,7})\s*\]?\s*$")
MAX_READ = 200_000
"""Maximum characters of an answer that are searched."""
MAX_TRIES = 200
"""The search stops after this many opening braces without an object."""


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """An answer as understood."""

    thought: str
    action: Action | None
    problem: str = ""
    """Why there is no action, in words for the model."""


class _Ambiguous(ValueError):
    """A key occurs twice in one object, so its value is ambiguous."""


def parse(text: str, allowed: Iterable[str], decisions: tuple[str, ...] = ()) -> ModelAnswer:
    """The one action in a model's answer; fences, prose around it and trailing commas are forgiven.

    Not accepted: two different actions, a key given twice, an action that is not allowed, an unknown decision.
    """
    try:
        objects = _objects(_THINKING.sub("", text[:MAX_READ].encode("utf-8", "replace").decode()))
    except _Ambiguous as error:
        return ModelAnswer("", None, str(error))
    if not objects:
        return ModelAnswer("", None, "it holds no JSON object with an action")
    actions = {json.dumps(_action_fields(candidate), sort_keys=True) for candidate in objects}
    thoughts = (candidate["thought"] for candidate in objects if isinstance(candidate.get("thought"), str))
    thought = next(thoughts, "").encode("utf-8", "replace").decode()  # an escaped lone surrogate is no text
    if len(actions) > 1:
        return ModelAnswer(thought, None, "it holds more than one action")
    action, problem = _read(_action_fields(objects[0]), allowed, decisions)
    return ModelAnswer(thought, action, problem)


def move_from(reply: Reply, assignment: Assignment) -> Move:
    """The move in a model's reply, with its thought, tokens and cost: for agents of one's own that call a model.

    An answer without a valid action is a move, too: it takes a step, and the next view says what was wrong with it.
    """
    answer = parse(reply.text, assignment.actions, assignment.decisions)
    return Move(
        action=answer.action,
        thought=answer.thought,
        problem=answer.problem,
        raw=reply.text,
        refused=reply.finish_reason == "refusal",
        usage=reply.usage,
        seconds=reply.seconds,
        model=reply.model,
    )


def _read(fields: Any, allowed: Iterable[str], decisions: tuple[str, ...]) -> tuple[Action | None, str]:
    if isinstance(fields, dict) and isinstance(fields.get("id"), int | str) and (match := _ID.match(str(fields["id"]))):
        fields = {**fields, "id": match[1]}
    action, problem = read_action(fields, allowed)
    if action is None:
        return None, problem
    if action.type == "decide" and action.decision not in decisions:
        return None, f"the decision {action.decision[:40]!r} is none of {', '.join(decisions)}"
    return action, ""


def _action_fields(answer: dict[str, Any]) -> Any:
    """The action in an object: under `action`, or the object itself if it has a type."""
    return answer["action"] if "action" in answer else {key: answer[key] for key in answer if key != "thought"}


def _objects(text: str) -> list[dict[str, Any]]:
    """All outermost JSON objects that name an action: those in code fences if there are any, else those in the text."""
    fenced = [candidate for block in _FENCE.findall(text) for candidate in _scan(block)]
    return fenced or _scan(text)


def _scan(text: str) -> list[dict[str, Any]]:
    """Outermost objects in order; `strict=False` lets line breaks stand in strings."""
    decoder = json.JSONDecoder(object_pairs_hook=_unambiguous, strict=False)
    objects: list[dict[str, Any]] = []
    position, tries = text.find("{"), 0
    while position >= 0 and tries < MAX_TRIES:
        try:
            value, end = decoder.raw_decode(text, position)
        except _Ambiguous:
            raise
        except (ValueError, RecursionError):
            value, end, tries = None, position + 1, tries + 1
        if isinstance(value, dict) and ("action" in value or "type" in value):
            objects.append(value)
        position = text.find("{", end)
    if not objects and (mended := _without_trailing_commas(text)) != text:
        return _scan(mended)
    return objects


def _unambiguous(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    double = next((key for key in keys if keys.count(key) > 1), None)
    if double is not None:
        raise _Ambiguous(f"the key {double[:40]!r} is given twice")
    return dict(pairs)


def _without_trailing_commas(text: str) -> str:
    """The text without commas that stand before a closing bracket, outside of strings."""
    return re.sub(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', lambda match: match[1] or "", text)
