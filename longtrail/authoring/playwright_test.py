"""Playwright test: reads a test that uses Playwright, written or recorded by `playwright codegen`, as a task on an app.
Its actions on elements by role and name become the reference, its `expect` lines key steps. Nothing is executed.
"""

import ast
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from longtrail.errors import UsageError
from longtrail.records.full_actions import MAX_WAIT
from longtrail.tasks.cases import slug

Entry = dict[str, Any]
CLICKS = {"click": "", "tap": "", "check": "checkbox", "uncheck": "checkbox"}
"""Methods that click, and the role of an element that is named by its label alone."""
PLAIN = {"dblclick": "double_click", "hover": "hover", "clear": "clear"}
"""Methods without arguments, and their actions."""
TAKES = {
    **dict.fromkeys(("fill", "type", "press_sequentially"), ("fill", "text", "textbox")),
    "select_option": ("select", "option", "combobox"),
    "press": ("press", "keys", "textbox"),
    "set_input_files": ("upload", "file", "button"),
}
"""Methods with an argument: their action, its field, and the role of an element that is named by its label alone."""
HISTORY = {"go_back": "back", "go_forward": "forward"}
MOUSE = {"click": "click", "dblclick": "double_click", "move": "move", "wheel": "wheel"}
TEXTS = frozenset({"to_be_visible", "to_have_text", "to_contain_text"})
"""Assertions about an element that become `text` key steps."""


@dataclass
class ReadTest:
    """What was read of a test."""

    reference: list[Entry] = field(default_factory=list)
    key_steps: list[Entry] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """One line for each line of the test that has no counterpart in a task."""


@dataclass(frozen=True)
class Element:
    """A locator: the element's role, if it is known, and its name."""

    role: str
    name: str
    nth: int = 1


def read_test(where: str) -> ReadTest:
    """Read `FILE::TEST`, or the only function of FILE that uses a page. Raises UsageError."""
    file, _, name = where.partition("::")
    try:
        module = ast.parse(Path(file).read_text("utf-8"))
    except (OSError, SyntaxError, UnicodeDecodeError) as error:
        raise UsageError(f"import playwright: {file}: {error}") from error
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    functions = {node.name: node for node in ast.walk(module) if isinstance(node, kinds)}
    tests = [name] if name else [each for each in functions if each.startswith(("test_", "run"))]
    if len(tests) != 1 or tests[0] not in functions:
        raise UsageError(f"import playwright: {file} has {', '.join(functions) or 'no function'}; name one: FILE::TEST")
    reader = _Reader(functions)
    reader.read(functions[tests[0]].body)
    if not reader.test.reference:
        raise UsageError(f"import playwright: {where} has no action on a page that could be read")
    _use_paths(reader.test.reference)
    return reader.test


def _use_paths(reference: list[Entry]) -> None:
    """Write addresses on the app as paths: those with the origin of the first one."""
    first = next((urlsplit(move["goto"]) for move in reference if "goto" in move), None)
    if first is not None and first.netloc:
        for move in reference:
            if "goto" in move:
                move["goto"] = move["goto"].removeprefix(f"{first.scheme}://{first.netloc}") or "/"


class _Reader:
    """Reads statements in order, and the functions of the same file that they call."""

    def __init__(self, functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef]) -> None:
        self.test = ReadTest()
        self._functions = functions
        self._locators: dict[str, ast.expr] = {}
        """Variables that hold one."""
        self._answer: Entry = {}
        """The answer to the dialog that the next action opens."""

    def read(self, body: list[ast.stmt]) -> None:
        for statement in body:
            if isinstance(statement, ast.With | ast.AsyncWith):
                self.read(statement.body)
            elif isinstance(statement, ast.Expr | ast.Assign):
                value = statement.value.value if isinstance(statement.value, ast.Await) else statement.value
                if isinstance(statement, ast.Assign) and _element(value) and isinstance(statement.targets[0], ast.Name):
                    self._locators[statement.targets[0].id] = value
                elif isinstance(value, ast.Call):
                    self._read_call(value)
            elif isinstance(statement, ast.For | ast.While | ast.If | ast.Try):
                self._leave_out(statement)

    def _read_call(self, call: ast.Call) -> None:
        if isinstance(call.func, ast.Name) and call.func.id in self._functions:
            self.read(self._functions.pop(call.func.id).body)  # once, so that it can't call itself for ever
        elif isinstance(call.func, ast.Attribute):
            name, target = call.func.attr, self._located(call.func.value)
            if isinstance(target, ast.Call) and isinstance(target.func, ast.Name) and target.func.id == "expect":
                self._read_expect(call, name, self._located(target.args[0]))
            elif not self._read_action(call, name, target) and _mentions_page(call):
                self._leave_out(call)

    def _located(self, node: ast.expr) -> ast.expr:
        """What a variable holds, if it is a locator."""
        return self._locators.get(node.id, node) if isinstance(node, ast.Name) else node

    def _read_action(self, call: ast.Call, name: str, target: ast.expr) -> bool:
        """Whether the call is an action of a reference, or nothing that a task needs."""
        moves = self.test.reference
        if name in ("on", "once") and (answer := _dialog_answer(call)):
            self._answer = answer
        elif name == "press" and _first(call) == "Enter" and moves and "fill" in moves[-1]:
            moves[-1]["fill"]["enter"] = True
        elif move := self._on_element(call, name, self._element(target)) or _on_page(call, ast.unparse(target), name):
            moves.append(move)
            if self._answer:  # the dialog that this action opens
                moves.append({"answer_dialog": self._answer})
                self._answer = {}
        else:
            return name in ("close", "new_context", "new_page", "launch")
        return True

    def _on_element(self, call: ast.Call, name: str, element: Element | None) -> Entry | None:
        """An action on an element, by the name of Playwright's method."""
        text = _first(call)
        if element is None:
            return None
        if name == "wait_for" and element.name and not element.role:
            return {"wait": {"text": element.name}}
        if name == "hover" and not element.role:
            return {"hover": element.name}
        if name == "drag_to" and call.args:
            onto = self._element(self._located(call.args[0]))
            move = {"drag": {**_place(element), "onto": _place(onto)}} if onto and onto.role else {}
        elif name in CLICKS:
            pressed = {"right": "right_click", None: "click"}.get(_keyword(call, "button"))
            move = {pressed: _place(element, CLICKS[name])} if pressed else {}
        elif name in PLAIN:
            move = {PLAIN[name]: _place(element, "textbox" if name == "clear" else "")}
        elif name in TAKES and text is not None:
            kind, field, role = TAKES[name]
            value = text.rpartition("/")[2] if kind == "upload" else text
            move = {kind: {**_place(element, role), field: value}}
        else:
            return None
        return move if move and "role" in next(iter(move.values())) else None

    def _element(self, node: ast.expr) -> Element | None:
        return _element(self._located(node))

    def _read_expect(self, call: ast.Call, name: str, subject: ast.expr) -> None:
        text = _text(call.args[0]) if call.args else None
        element = _element(subject)
        if name == "to_have_url" and text is not None:
            self._add({"kind": "url", "paths": [urlsplit(text).path or "/"]})
        elif name in TEXTS and (text or (element and element.name)):
            self._add({"kind": "text", "text": text or (element.name if element else "")})
        else:
            self._leave_out(call)

    def _add(self, entry: Entry) -> None:
        number = len(self.test.key_steps) + 1
        word = slug(str(entry.get("text") or entry["paths"][0]).replace("_", "-"))[:40].strip("-")
        self.test.key_steps.append({"name": f"{number}-{word or entry['kind']}", **entry})

    def _leave_out(self, node: ast.stmt | ast.expr) -> None:
        self.test.left_out.append(f"line {node.lineno}: {ast.unparse(node).splitlines()[0][:100]}")


def _on_page(call: ast.Call, target: str, name: str) -> Entry | None:
    """An action on the page, its keyboard or its mouse."""
    text = _first(call)
    numbers = [
        each.value for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, int | float)
    ]
    if name == "goto" and text is not None:
        return {"goto": text}
    if name in HISTORY:
        return {HISTORY[name]: True}
    if name == "wait_for_timeout" and numbers:
        return {"wait": {"seconds": min(numbers[0] / 1000, MAX_WAIT)}}
    if target.endswith(".keyboard") and text:
        return {"press": text} if name == "press" else {"type_text": text} if name in ("type", "insert_text") else None
    if target.endswith(".mouse") and name in MOUSE and len(numbers) == 2:
        return {"mouse": {"gesture": MOUSE[name], "x": numbers[0], "y": numbers[1]}}
    return None


def _dialog_answer(call: ast.Call) -> Entry:
    """What a handler of dialogs answers: `lambda dialog: dialog.accept("Berries")`."""
    kind, handler = _first(call), call.args[1] if len(call.args) > 1 else None
    if kind != "dialog" or not isinstance(handler, ast.Lambda) or not isinstance(answer := handler.body, ast.Call):
        return {}
    method = answer.func.attr if isinstance(answer.func, ast.Attribute) else ""
    text = _first(answer)
    return {"accept": method == "accept", **({"text": text} if text else {})} if method in ("accept", "dismiss") else {}


def _first(call: ast.Call) -> str | None:
    """The first argument or the `label` of a call, if it is a text."""
    return _text(call.args[0]) if call.args else _keyword(call, "label")


def _place(element: Element, role: str = "") -> Entry:
    """An element in a reference; `role`: that of one that is named by its label."""
    if not (element.role or role):
        return {}
    nth = {"nth": element.nth} if element.nth > 1 else {}
    return {"role": element.role or role, "name": element.name, **nth}


def _element(node: ast.expr) -> Element | None:
    """A locator: `page.get_by_role("link", name="Orders").nth(1)`."""
    if isinstance(node, ast.Attribute) and node.attr == "first":
        return _element(node.value)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return None
    method, first = node.func.attr, _text(node.args[0]) if node.args else None
    if method == "nth" and node.args and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, int):
        inner = _element(node.func.value)
        return Element(inner.role, inner.name, node.args[0].value + 1) if inner and node.args[0].value >= 0 else None
    if method == "get_by_role" and first is not None:
        name = _keyword(node, "name")
        return None if name is None else Element(first, name)
    if method in ("get_by_label", "get_by_placeholder", "get_by_text") and first is not None:
        return Element("", first)
    return None


def _text(node: ast.expr) -> str | None:
    """A text; of an f-string that begins with an unknown address, the path after it."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr) and isinstance(node.values[-1], ast.Constant) and len(node.values) == 2:
        path = str(node.values[-1].value)
        return path if path.startswith("/") else None
    return None


def _keyword(call: ast.Call, name: str) -> str | None:
    return next((_text(keyword.value) for keyword in call.keywords if keyword.arg == name), None)


def _mentions_page(node: ast.AST) -> bool:
    return any(isinstance(each, ast.Name) and each.id == "page" for each in ast.walk(node))
