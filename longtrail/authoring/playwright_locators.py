"""Playwright locators: makes the locator that an expression of a test describes. Only methods that find elements are
called, with constants, patterns and other locators as arguments.
"""

import ast
import re
from typing import Any

from playwright.async_api import Locator, Page

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
