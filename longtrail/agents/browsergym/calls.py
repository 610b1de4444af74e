"""Calls: the calls in the answer of an agent made for BrowserGym, such as `click("12")`, as actions. They are parsed,
never executed."""

import ast
import inspect
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from longtrail.records import full_actions as full
from longtrail.records.action import Action, Back, Click, Decide, Fill, Finish, Goto, Select

MAX_CALLS = 25
"""Maximum number of calls in one answer; each is a separate step."""
_FENCE = re.compile(r"```(?:\w*\n)?(.*?)```", re.DOTALL)

ElementProperties = Mapping[str, Mapping[str, Any]]


class UnreadableCall(Exception):
    """The text is no call, or an unsupported one."""


@dataclass(frozen=True)
class _Page:
    properties: ElementProperties
    decisions: tuple[str, ...]
    tabs: tuple[int, ...]


def actions(
    answer: str, properties: ElementProperties, decisions: tuple[str, ...], tabs: tuple[int, ...] = (1,)
) -> tuple[Action, ...]:
    """The actions in an answer, in order. Reads its fenced code if there is any, else all of it; ignores words around
    calls. `tabs`: the numbers of the open tabs, in the order of the observation. Raises UnreadableCall with the
    reason."""
    code = "\n".join(block.strip() for block in _FENCE.findall(answer)) or answer.strip()
    parsed: list[Action] = []
    page = _Page(properties, decisions, tabs)
    for call in _calls(code):
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        if name not in _ACTIONS:
            raise UnreadableCall(
                f"{name or ast.unparse(call.func)}() is no action here; there are {', '.join(_ACTIONS)}"
            )
        try:
            positional = [ast.literal_eval(argument) for argument in call.args]
            named = {keyword.arg or "": ast.literal_eval(keyword.value) for keyword in call.keywords}
            given = (page, *positional) if name in _ON_PAGE else positional
            inspect.signature(_ACTIONS[name]).bind(*given, **named)
            parsed += _ACTIONS[name](*given, **named)
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


def _click(bid: str, button: str = "left", modifiers: Any = ()) -> list[Action]:
    if button == "middle" or modifiers:
        raise ValueError("only clicks of the left and right button without modifiers are possible")
    return [full.RightClick(id=bid) if button == "right" else Click(id=bid)]


def _select_option(bid: str, options: str | list[str]) -> list[Action]:
    chosen = [options] if isinstance(options, str) else list(options)
    return [Select(id=bid, option=option) for option in chosen]


def _tab_focus(page: _Page, index: int) -> list[Action]:
    if not 0 <= index < len(page.tabs):
        raise ValueError(f"there is no tab {index}; there are {len(page.tabs)}, counted from 0")
    return [full.SwitchTab(tab=page.tabs[index])]


def _mouse_click(page: _Page, x: float, y: float, button: str = "left") -> list[Action]:
    if button != "left":
        raise ValueError("only the left button can be used")
    hit = _smallest(page.properties, x, y)
    return [Click(id=hit) if hit else full.Mouse(x=x, y=y)]


def _send_msg_to_user(page: _Page, text: str) -> list[Action]:
    return [_decision(str(text), page.decisions) if page.decisions else Finish(answer=str(text))]


_ON_PAGE: dict[str, Callable[..., list[Action]]] = {
    "tab_focus": _tab_focus,
    "mouse_click": _mouse_click,
    "send_msg_to_user": _send_msg_to_user,
}
"""Those of BrowserGym's actions that need the page."""
_ACTIONS: dict[str, Callable[..., list[Action]]] = {
    "noop": lambda wait_ms=1000: [full.Wait(seconds=min(max(wait_ms, 0) / 1000, full.MAX_WAIT))],
    "click": _click,
    "dblclick": lambda bid, button="left", modifiers=(): [full.DoubleClick(id=bid)],  # noqa: ARG005
    "hover": lambda bid: [full.Hover(id=bid)],
    "focus": lambda bid: [full.Press(id=bid)],
    "fill": lambda bid, value, enable_autocomplete_menu=False: [Fill(id=bid, text=value)],  # noqa: ARG005
    "clear": lambda bid: [Fill(id=bid, text="")],
    "select_option": _select_option,
    "press": lambda bid, key_comb: [full.Press(id=bid, keys=key_comb)],
    "drag_and_drop": lambda from_bid, to_bid: [full.Drag(id=from_bid, onto=to_bid)],
    "upload_file": lambda bid, file: [full.Upload(id=bid, file=file)],
    "scroll": lambda delta_x, delta_y: [full.Mouse(gesture="wheel", x=delta_x, y=delta_y)],
    "scroll_at": lambda x, y, dx, dy: [full.Mouse(gesture="move", x=x, y=y), full.Mouse(gesture="wheel", x=dx, y=dy)],
    "goto": lambda url: [Goto(url=url)],
    "go_back": lambda: [Back()],
    "go_forward": lambda: [full.Forward()],
    "new_tab": lambda: [full.NewTab()],
    "tab_close": lambda: [full.CloseTab()],
    "mouse_dblclick": lambda x, y, button="left": [full.Mouse(gesture="double_click", x=x, y=y)],  # noqa: ARG005
    "mouse_move": lambda x, y: [full.Mouse(gesture="move", x=x, y=y)],
    "mouse_down": lambda x, y, button="left": [full.Mouse(gesture="down", x=x, y=y)],  # noqa: ARG005
    "mouse_up": lambda x, y, button="left": [full.Mouse(gesture="up", x=x, y=y)],  # noqa: ARG005
    "mouse_drag_and_drop": lambda from_x, from_y, to_x, to_y: [
        full.Mouse(gesture="down", x=from_x, y=from_y),
        full.Mouse(gesture="up", x=to_x, y=to_y),
    ],
    "keyboard_press": lambda key: [full.Press(keys=key)],
    "keyboard_type": lambda text: [full.TypeText(text=text)],
    "keyboard_insert_text": lambda text: [full.TypeText(text=text)],
    "report_infeasible": lambda reason: [Finish(answer=f"infeasible: {reason}")],
    **_ON_PAGE,
}
"""BrowserGym's actions by name, with its parameters; each gives the actions that do it."""


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
