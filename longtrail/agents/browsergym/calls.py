"""Calls: the calls in the answer of an agent made for BrowserGym, such as `click("12")`, as actions. They are parsed,
never executed."""

import ast
import inspect
import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from longtrail.records.action import Action, Back, Click, Decide, Fill, Finish, Goto, Select
from longtrail.records.full_actions import (
    MAX_WAIT,
    CloseTab,
    DoubleClick,
    Drag,
    Forward,
    Hover,
    Mouse,
    NewTab,
    Press,
    RightClick,
    SwitchTab,
    TypeText,
    Upload,
    Wait,
)

MAX_CALLS = 25
"""Maximum number of calls in one answer; each is a separate step."""
_FENCE = re.compile(r"```(?:\w*\n)?(.*?)```", re.DOTALL)

ElementProperties = Mapping[str, Mapping[str, Any]]


class UnreadableCall(Exception):
    """The text is no call, or an unsupported one."""


def actions(
    answer: str, properties: ElementProperties, decisions: tuple[str, ...], tabs: tuple[int, ...] = (1,)
) -> tuple[Action, ...]:
    """The actions in an answer, in order. Reads its fenced code if there is any, else all of it; ignores words around
    calls. `tabs`: the numbers of the open tabs, in the order of the observation. Raises UnreadableCall with the
    reason."""
    code = "\n".join(block.strip() for block in _FENCE.findall(answer)) or answer.strip()
    parsed: list[Action] = []
    builder = _ActionBuilder(properties, decisions, tabs)
    for call in _calls(code):
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        if name not in _ACTIONS:
            raise UnreadableCall(
                f"{name or ast.unparse(call.func)}() is no action here; there are {', '.join(_ACTIONS)}"
            )
        try:
            positional = [ast.literal_eval(argument) for argument in call.args]
            named = {keyword.arg or "": ast.literal_eval(keyword.value) for keyword in call.keywords}
            inspect.signature(_ACTIONS[name]).bind(builder, *positional, **named)
            parsed += _ACTIONS[name](builder, *positional, **named)
        except ValidationError as error:
            problem = error.errors(include_url=False, include_input=False)[0]
            raise UnreadableCall(f"{name}(): {'.'.join(map(str, problem['loc']))}: {problem['msg']}") from error
        except (TypeError, ValueError) as error:
            raise UnreadableCall(f"{name}(): {error}") from error
    if not parsed:
        raise UnreadableCall("there is no action in it; answer with one, like click('12')")
    if len(parsed) > MAX_CALLS:
        raise UnreadableCall(f"at most {MAX_CALLS} actions can be given at once")
    return tuple(parsed)


def _calls(code: str) -> Iterator[ast.Call]:
    try:
        body = ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        yield from _between_words(code)
        return
    calls = [line.value for line in body if isinstance(line, ast.Expr) and isinstance(line.value, ast.Call)]
    if len(calls) != len(body):
        raise UnreadableCall("only action calls are allowed, no other Python code")
    yield from calls


def _between_words(text: str) -> Iterator[ast.Call]:
    """Calls of known names anywhere in a text."""
    at = 0
    names = re.compile(rf"\b({'|'.join(_ACTIONS)})\(")
    while match := names.search(text, at):
        call = next(
            (call_found for end in _ends(text, match.end()) if (call_found := _call(text[match.start() : end]))), None
        )
        if call:
            yield call
        at = match.end()


def _ends(text: str, start: int) -> Iterator[int]:
    """Where a call may end: after each closing bracket in the next few thousand characters."""
    closing = (match.end() for match in re.finditer(r"\)", text[start : start + 20_000]))
    return (start + end for _, end in zip(range(50), closing, strict=False))


def _call(text: str) -> ast.Call | None:
    try:
        expression = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError):
        return None
    return expression if isinstance(expression, ast.Call) else None


class _ActionBuilder:
    """One method for each of BrowserGym's actions, with its parameters; each gives the actions that do it."""

    def __init__(self, properties: ElementProperties, decisions: tuple[str, ...], tabs: tuple[int, ...]) -> None:
        self._properties, self._decisions, self._tabs = properties, decisions, tabs

    def noop(self, wait_ms: float = 1000) -> list[Action]:
        return [Wait(seconds=min(max(wait_ms, 0) / 1000, MAX_WAIT))]

    def click(self, bid: str, button: str = "left", modifiers: Any = ()) -> list[Action]:
        if button == "middle" or modifiers:
            raise ValueError("only clicks of the left and right button without modifiers are possible")
        return [RightClick(id=bid) if button == "right" else Click(id=bid)]

    def dblclick(self, bid: str, button: str = "left", modifiers: Any = ()) -> list[Action]:  # noqa: ARG002
        return [DoubleClick(id=bid)]

    def hover(self, bid: str) -> list[Action]:
        return [Hover(id=bid)]

    def focus(self, bid: str) -> list[Action]:
        return [Press(id=bid)]

    def fill(self, bid: str, value: str, enable_autocomplete_menu: bool = False) -> list[Action]:  # noqa: ARG002
        return [Fill(id=bid, text=value)]

    def clear(self, bid: str) -> list[Action]:
        return [Fill(id=bid, text="")]

    def select_option(self, bid: str, options: str | list[str]) -> list[Action]:
        chosen = [options] if isinstance(options, str) else list(options)
        return [Select(id=bid, option=option) for option in chosen]

    def press(self, bid: str, key_comb: str) -> list[Action]:
        return [Press(id=bid, keys=key_comb)]

    def drag_and_drop(self, from_bid: str, to_bid: str) -> list[Action]:
        return [Drag(id=from_bid, onto=to_bid)]

    def upload_file(self, bid: str, file: str) -> list[Action]:
        return [Upload(id=bid, file=file)]

    def scroll(self, delta_x: float, delta_y: float) -> list[Action]:
        return [Mouse(gesture="wheel", x=delta_x, y=delta_y)]

    def scroll_at(self, x: float, y: float, dx: float, dy: float) -> list[Action]:
        return [Mouse(gesture="move", x=x, y=y), Mouse(gesture="wheel", x=dx, y=dy)]

    def goto(self, url: str) -> list[Action]:
        return [Goto(url=url)]

    def go_back(self) -> list[Action]:
        return [Back()]

    def go_forward(self) -> list[Action]:
        return [Forward()]

    def new_tab(self) -> list[Action]:
        return [NewTab()]

    def tab_close(self) -> list[Action]:
        return [CloseTab()]

    def tab_focus(self, index: int) -> list[Action]:
        if not 0 <= index < len(self._tabs):
            raise ValueError(f"there is no tab {index}; there are {len(self._tabs)}, counted from 0")
        return [SwitchTab(tab=self._tabs[index])]

    def mouse_click(self, x: float, y: float, button: str = "left") -> list[Action]:
        if button != "left":
            raise ValueError("only the left button can be used")
        hit = _smallest(self._properties, x, y)
        return [Click(id=hit) if hit else Mouse(x=x, y=y)]

    def mouse_dblclick(self, x: float, y: float, button: str = "left") -> list[Action]:  # noqa: ARG002
        return [Mouse(gesture="double_click", x=x, y=y)]

    def mouse_move(self, x: float, y: float) -> list[Action]:
        return [Mouse(gesture="move", x=x, y=y)]

    def mouse_down(self, x: float, y: float, button: str = "left") -> list[Action]:  # noqa: ARG002
        return [Mouse(gesture="down", x=x, y=y)]

    def mouse_up(self, x: float, y: float, button: str = "left") -> list[Action]:  # noqa: ARG002
        return [Mouse(gesture="up", x=x, y=y)]

    def mouse_drag_and_drop(self, from_x: float, from_y: float, to_x: float, to_y: float) -> list[Action]:
        return [Mouse(gesture="down", x=from_x, y=from_y), Mouse(gesture="up", x=to_x, y=to_y)]

    def keyboard_press(self, key: str) -> list[Action]:
        return [Press(keys=key)]

    def keyboard_type(self, text: str) -> list[Action]:
        return [TypeText(text=text)]

    def keyboard_insert_text(self, text: str) -> list[Action]:
        return [TypeText(text=text)]

    def send_msg_to_user(self, text: str) -> list[Action]:
        if not self._decisions:
            return [Finish(answer=str(text))]
        return [_decision(str(text), self._decisions)]

    def report_infeasible(self, reason: str) -> list[Action]:
        return [Finish(answer=f"infeasible: {reason}")]


_ACTIONS: dict[str, Callable[..., list[Action]]] = {
    name: method for name, method in vars(_ActionBuilder).items() if not name.startswith("_")
}


def _smallest(properties: ElementProperties, x: float, y: float) -> str:
    """The id of the smallest element that can be clicked at this place, or an empty text."""
    over = [
        (box[2] * box[3], bid)
        for bid, shape in properties.items()
        if (box := shape["bbox"])
        and shape["clickable"]
        and box[0] <= x < box[0] + box[2]
        and box[1] <= y < box[1] + box[3]
    ]
    return min(over)[1] if over else ""


def _decision(text: str, decisions: tuple[str, ...]) -> Decide:
    """The decision in a message: a JSON object, or else the one decision word that it names."""
    start, end = text.find("{"), text.rfind("}")
    if 0 <= start < end:
        try:
            fields = json.loads(text[start : end + 1])
        except json.JSONDecodeError as error:
            raise ValueError(f"the JSON in the message can't be read: {error}") from error
        arguments = {key: fields[key] for key in ("decision", "justification", "evidence", "response") if key in fields}
        return Decide.model_validate({"justification": "", **arguments})
    named = [word for word in decisions if re.search(rf"\b{re.escape(word)}\b", text)]
    named = [word for word in named if not any(word != other and word in other for other in named)]
    if len(named) != 1:
        raise ValueError(f"the message must name exactly one decision of {', '.join(decisions)}")
    return Decide(decision=named[0], justification=text)
