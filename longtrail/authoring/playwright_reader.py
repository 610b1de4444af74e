"""Playwright reader: reads a test that uses Playwright, written or recorded by `playwright codegen`, as lines that
`playwright_player` can play. Nothing of it is executed. An expression becomes a locator only by methods that find
elements, with constants, patterns and other locators as arguments.
"""

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.async_api import Locator, Page

from longtrail.errors import UsageError

NEW_PAGE = (".expect_popup", ".expect_page", ".new_page")
"""How calls end that give another page."""
SILENT = frozenset({"close", "new_context", "new_page", "launch", "set_default_timeout", "wait_for_load_state"})
"""Methods that a task needs no counterpart of."""


@dataclass(frozen=True)
class ParsedLine:
    """A line that does something to a page, or asserts something about it."""

    number: int
    code: str
    call: ast.Call
    target: ast.expr
    """A page, its keyboard or mouse, or a locator; variables that hold locators are replaced by them."""
    asserts: bool = False
    """`expect(target).method(...)`; otherwise `target.method(...)`."""

    @property
    def method(self) -> str:
        """The name of Playwright's method."""
        return self.call.func.attr if isinstance(self.call.func, ast.Attribute) else ""

    @property
    def text(self) -> str | None:
        """The first argument, if it is a text."""
        return first_text(self.call)

    @property
    def page(self) -> str:
        """The variable that holds the page."""
        node = self.target
        while isinstance(node, ast.Call | ast.Attribute):
            node = node.func if isinstance(node, ast.Call) else node.value
        return node.id if isinstance(node, ast.Name) else ""


@dataclass
class ParsedTest:
    """What was read of a test."""

    file: Path
    lines: list[ParsedLine] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    """One line for each line of the test that has no counterpart in a task."""

    def leave_out(self, number: int, code: str) -> None:
        """Tell that a line is not in the task."""
        self.left_out.append(f"line {number}: {code}")


def read_test(where: str) -> ParsedTest:
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
    reader = _Reader(ParsedTest(Path(file)), functions)
    reader.read(functions[tests[0]].body)
    if all(line.asserts for line in reader.test.lines):
        raise UsageError(f"import playwright: {where} has no action on a page that could be read")
    return reader.test


class _Reader:
    """Reads statements in order, and the functions of the same file that they call."""

    def __init__(self, test: ParsedTest, functions: dict[str, ast.FunctionDef | ast.AsyncFunctionDef]) -> None:
        self.test = test
        self._functions = functions
        self._locators: dict[str, ast.expr] = {}
        """Variables that hold one."""
        self._opening: dict[str, ast.Call] = {}
        """Variables that will hold a page, and what opens it."""

    def read(self, body: list[ast.stmt]) -> None:
        for statement in body:
            if isinstance(statement, ast.With | ast.AsyncWith):
                for item in statement.items:
                    if isinstance(item.context_expr, ast.Call) and isinstance(item.optional_vars, ast.Name):
                        self._opening[item.optional_vars.id] = item.context_expr
                self.read(statement.body)
            elif isinstance(statement, ast.Expr | ast.Assign):
                value = statement.value
                self._read_value(statement, value.value if isinstance(value, ast.Await) else value)
            elif _mentions_page(statement):
                self._leave_out(statement)

    def _read_value(self, statement: ast.Expr | ast.Assign, value: ast.expr) -> None:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if isinstance(target, ast.Name) and _is_locator(value):
            self._locators[target.id] = self._located(value)
        elif isinstance(target, ast.Name) and (call := self._opens(value)):
            self.test.lines.append(ParsedLine(statement.lineno, ast.unparse(statement), call, target))
        elif isinstance(value, ast.Call):
            self._read_call(value)

    def _opens(self, value: ast.expr) -> ast.Call | None:
        """What opens the page that an expression stands for; None for the first page, and for all that is no page."""
        if isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name) and value.attr == "value":
            call = self._opening.get(value.value.id)
        else:
            call = value if isinstance(value, ast.Call) and self.test.lines else None
        return call if call is not None and ast.unparse(call.func).endswith(NEW_PAGE) else None

    def _read_call(self, call: ast.Call) -> None:
        if isinstance(call.func, ast.Name) and call.func.id in self._functions:
            return self.read(self._functions.pop(call.func.id).body)  # once, so that it can't call itself for ever
        if not isinstance(call.func, ast.Attribute):
            return None
        asserts = isinstance(call.func.value, ast.Call) and ast.unparse(call.func.value.func) == "expect"
        inner = call.func.value.args[0] if asserts and isinstance(call.func.value, ast.Call) else call.func.value
        line = ParsedLine(call.lineno, ast.unparse(call).splitlines()[0][:100], call, self._located(inner), asserts)
        if line.page in ("context", "browser", "playwright") or (line.method in SILENT and line.page == "page"):
            return None
        if _mentions_page(line.target):
            self.test.lines.append(line)
        elif _mentions_page(call):
            self._leave_out(call)
        return None

    def _located(self, node: ast.expr) -> ast.expr:
        """The same, with locators in place of the variables that hold them."""
        return _Replacing(self._locators.get).visit(node) if self._locators else node

    def _leave_out(self, node: ast.stmt | ast.expr) -> None:
        self.test.leave_out(node.lineno, ast.unparse(node).splitlines()[0][:100])


class _Replacing(ast.NodeTransformer):
    def __init__(self, held: Callable[[str], ast.expr | None]) -> None:
        self._held = held

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._held(node.id) or node


def _is_locator(node: ast.expr) -> bool:
    """Whether it is an expression like `page.get_by_role(...)`, `page.locator(...).first`."""
    called = node.func if isinstance(node, ast.Call) else node
    return isinstance(called, ast.Attribute) and called.attr in METHODS and _mentions_page(node)


def _mentions_page(node: ast.AST) -> bool:
    names = (each.id for each in ast.walk(node) if isinstance(each, ast.Name))
    return any(name.startswith("page") or name.endswith("page") for name in names)


METHODS = frozenset(
    {"get_by_role", "get_by_label", "get_by_placeholder", "get_by_text", "get_by_test_id", "get_by_alt_text"}
    | {"get_by_title", "locator", "frame_locator", "filter", "nth", "and_", "or_", "first", "last", "content_frame"}
)
"""What finds elements: methods, and three attributes."""
FLAGS = {name: getattr(re, name) for name in ("I", "IGNORECASE", "M", "MULTILINE", "S", "DOTALL")}


class Unreadable(Exception):
    """An expression that is no locator, or is made from values that only the running test knows."""


def locator(node: ast.expr, page: Page) -> Locator:
    """The locator of an expression, in this page. Raises Unreadable."""
    found = _value(node, page)
    if not isinstance(found, Locator):
        raise Unreadable(ast.unparse(node))
    return found


def _value(node: ast.expr, page: Page) -> Any:
    if isinstance(node, ast.Name):
        return page
    if isinstance(node, ast.Attribute) and node.attr in METHODS:
        return getattr(_value(node.value, page), node.attr)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in METHODS:
        words = {keyword.arg: argument(keyword.value, page) for keyword in node.keywords if keyword.arg}
        return getattr(_value(node.func.value, page), node.func.attr)(*(argument(a, page) for a in node.args), **words)
    raise Unreadable(ast.unparse(node))


def argument(node: ast.expr, page: Page | None = None) -> Any:
    """The value of an argument; locators only if there is a page. Raises Unreadable."""
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile":
        flags = [FLAGS.get(each.attr, 0) for each in ast.walk(node) if isinstance(each, ast.Attribute)]
        return re.compile(argument(node.args[0]), sum(flags))
    if isinstance(node, ast.List | ast.Tuple):
        return [argument(each, page) for each in node.elts]
    if page is not None and isinstance(node, ast.Call | ast.Attribute):
        return _value(node, page)
    try:
        return ast.literal_eval(node)
    except ValueError:
        raise Unreadable(ast.unparse(node)) from None


def first_text(call: ast.Call) -> str | None:
    """The first argument of a call, if it is a text; of an f-string that begins with an unknown address, the path
    after it."""
    node = call.args[0] if call.args else None
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr) and isinstance(node.values[-1], ast.Constant) and len(node.values) == 2:
        path = str(node.values[-1].value)
        return path if path.startswith("/") else None
    return None


def keyword(call: ast.Call, name: str) -> str | None:
    """A keyword argument, if it is a text."""
    values = (each.value for each in call.keywords if each.arg == name)
    return next((str(value.value) for value in values if isinstance(value, ast.Constant)), None)
