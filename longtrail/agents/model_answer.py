"""Model answer: parses a model's text into a thought and one action, or the reason why there is none.

Only what follows the last closing mark of its thinking counts. Calls in the forms of tags and of names before arguments
come first; without them JSON objects in code fences, or else anywhere: an action in our form, or a call.
"""

import ast
import json
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from longtrail.agents.agent import Assignment, Move
from longtrail.llm.client import Reply
from longtrail.records.action import Action
from longtrail.records.action_forms import read_action

_END_OF_THINKING = re.compile(
    r"</(think|thinking|thought|reasoning|seed:think)>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>|<\|END_THINKING\|>"
    r"|<\|channel\|>final\s*(<\|constrain\|>\w+\s*)?<\|message\|>|\bassistantfinal(?=\s*[{`])",
    re.IGNORECASE,
)
_FENCE = re.compile(r"```[a-zA-Z]*\s*\n(.*?)```", re.DOTALL)
_CALL_BEFORE_ARGUMENTS = re.compile(
    r"(?:\bfunctions\.|\[TOOL_CALLS\]\s*|<｜tool▁sep｜>\s*)(?P<name>\w+)[^{}\"]{0,80}(?=\{)"
)
"""A call whose name stands before its arguments: gpt-oss, Kimi, Mistral and DeepSeek write it so."""
_CALL_IN_TAGS = re.compile(r"<function=(?P<name>\w+)>(?P<parameters>.*?)</function>", re.DOTALL)
_PARAMETER = re.compile(r"<parameter=(\w+)>\s*(.*?)\s*</parameter>", re.DOTALL)
_ID = re.compile(r"^\s*\[?\s*([0-9]{1,7})\s*\]?\s*$")
_QUOTATION_MARKS = str.maketrans("“”„‟", '""""')
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
MAX_READ = 200_000
"""Maximum characters of an answer that are searched."""
MAX_LITERAL = 20_000
"""Maximum characters of a Python literal."""
MAX_TRIES = 200
"""The search stops after this many opening braces without an object."""
MAX_DEPTH = 8
"""How deep in an object an action is looked for."""


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
    """The one action in a model's answer; fences, prose around it, trailing commas and typographic quotation marks are
    forgiven.

    Not accepted: two different actions, a key given twice, an action that is not allowed, an unknown decision.
    """
    try:
        answers = _answers(_LONE_SURROGATE.sub("\ufffd", text[:MAX_READ]))
        actions = [_action_fields(answer) for answer in answers]
        different = len({json.dumps(action, sort_keys=True) for action in actions})
    except _Ambiguous as error:
        return ModelAnswer("", None, str(error))
    except RecursionError:
        return ModelAnswer("", None, "it is nested too deeply")
    if not answers:
        return ModelAnswer("", None, "it holds no JSON object with an action")
    thought = next((answer["thought"] for answer in answers if isinstance(answer.get("thought"), str)), "")
    if different > 1:
        return ModelAnswer(thought, None, "it holds more than one action")
    action, problem = _read(actions[0], allowed, decisions)
    return ModelAnswer(thought, action, problem)


def move_from(reply: Reply, assignment: Assignment) -> Move:
    """The move in a model's reply, with its thought, tokens and cost.

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
    for name in ("id", "onto"):
        if isinstance(fields, dict) and (match := _ID.match(str(fields.get(name)))):
            fields = {**fields, name: match[1]}
    action, problem = read_action(fields, allowed)
    if action is None:
        return None, problem
    if action.type == "decide" and action.decision not in decisions:
        return None, f"the decision {action.decision[:40]!r} is none of {', '.join(decisions)}"
    return action, ""


def _action_fields(answer: dict[str, Any]) -> Any:
    """The action in an object: under `action` (also as JSON in a text), or the object itself if it has a type."""
    if "action" not in answer:
        return {key: answer[key] for key in answer if key != "thought"}
    action = answer["action"]
    inner = _scan(action) if isinstance(action, str) else []
    return inner[0] if len(inner) == 1 else action


def _answers(text: str) -> list[dict[str, Any]]:
    """All objects that name an action; the text may also be JSON of a text with them."""
    whole = _json(text)
    if isinstance(whole, str):
        text, whole = whole, _json(whole)
    if not isinstance(whole, dict):  # in one object, marks are quotations
        *_, text = _END_OF_THINKING.sub("\0", text).split("\0")
    calls = [*_calls_in_tags(text), *_calls_before_arguments(text)]
    fenced = [answer for block in _FENCE.findall(text) for answer in _scan(block)]
    return calls or fenced or _scan(text)


def _json(text: str) -> Any:
    """The text as JSON; None if it is none."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _calls_in_tags(text: str) -> Iterator[dict[str, Any]]:
    for call in _CALL_IN_TAGS.finditer(text):
        yield {"type": call["name"], **dict(_PARAMETER.findall(call["parameters"]))}


def _calls_before_arguments(text: str) -> Iterator[dict[str, Any]]:
    for call in _CALL_BEFORE_ARGUMENTS.finditer(text):
        arguments, _ = _decoded(text, call.end())
        if isinstance(arguments, dict):
            yield {"type": call["name"], **arguments}


def _scan(text: str) -> list[dict[str, Any]]:
    """The outermost objects in a text that name an action, in order. If there are none: those within other objects."""
    outermost: list[dict[str, Any]] = []
    nested: list[dict[str, Any]] = []
    position, tries = text.find("{"), 0
    while position >= 0 and tries < MAX_TRIES:
        value, end = _decoded(text, position)
        tries += value is None
        named = list(_actions_in(value))
        (outermost if any(answer is value for answer in named) or _is_call(value) else nested).extend(named)
        position = text.find("{", end)
    answers = outermost or nested or list(_actions_in(_python_literal(text)))
    if not answers and (mended := _mended(text)) != text:
        return _scan(mended)
    return answers


def _decoded(text: str, position: int) -> tuple[Any, int]:
    """The JSON value that begins here, and its end; None if there is none."""
    decoder = json.JSONDecoder(object_pairs_hook=_unambiguous, strict=False)  # line breaks may stand in strings
    try:
        value, end = decoder.raw_decode(text, position)
    except _Ambiguous:
        raise
    except (ValueError, RecursionError):
        return None, position + 1
    return _without_surrogates(value), end


def _actions_in(value: Any, depth: int = 0) -> Iterator[dict[str, Any]]:
    """The outermost objects in a value that name an action: our form, or a call with a name and arguments."""
    if depth > MAX_DEPTH:
        return
    if isinstance(value, list):
        for item in value:
            yield from _actions_in(item, depth + 1)
    elif isinstance(value, dict):
        if _is_call(value):
            arguments = value.get("arguments", value.get("parameters"))
            fields = _decoded(arguments, 0)[0] if isinstance(arguments, str) else arguments
            given = fields if isinstance(fields, dict) else {}
            yield {"type": value["name"].removeprefix("functions."), **given}
        elif "action" in value or ("type" in value and "function" not in value):
            yield value
        else:
            for item in value.values():
                yield from _actions_in(item, depth + 1)


def _is_call(value: Any) -> bool:
    """Whether it is a call of a tool: a name and arguments, which may be JSON in a text."""
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return False
    return isinstance(value.get("arguments", value.get("parameters")), dict | str)


def _unambiguous(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for key, value in pairs:
        if key in fields:
            raise _Ambiguous(f"the key {key[:40]!r} is given twice")
        fields[key] = value
    return fields


def _without_surrogates(value: Any) -> Any:
    """The value without lone surrogates, which can't be stored."""
    if isinstance(value, str):
        return _LONE_SURROGATE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(item) for key, item in value.items()}
    return value


def _python_literal(text: str) -> Any:
    """The Python literal between the outermost braces, as some models write `{'action': ...}`; None if there is none,
    or if a key is given twice."""
    literal = text[text.find("{") : text.rfind("}") + 1]
    if not literal or "'" not in literal or len(literal) > MAX_LITERAL:
        return None
    try:
        with warnings.catch_warnings():  # about escapes in it
            warnings.simplefilter("ignore")
            tree = ast.parse(literal, mode="eval")
            keys = [
                [ast.dump(key) for key in each.keys if key] for each in ast.walk(tree) if isinstance(each, ast.Dict)
            ]
            value = ast.literal_eval(tree) if all(len(set(each)) == len(each) for each in keys) else None
        json.dumps(value)  # keys and values of JSON only
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
    return _without_surrogates(value)


def _mended(text: str) -> str:
    """The text with plain quotation marks, and without commas before a closing bracket, outside of strings."""
    plain = text.translate(_QUOTATION_MARKS)
    return re.sub(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', lambda match: match[1] or "", plain)
