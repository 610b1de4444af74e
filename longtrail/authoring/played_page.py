"""Played page: finds the elements of a Playwright test in a session as agents have it. Playwright tells where an
element is, the observation which one that is. Also the test's `expect` lines, which become key steps: each must hold in
the app.
"""

import ast
import re
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

from playwright.async_api import Error, Locator, Page, expect

from longtrail.authoring.playwright_reader import ParsedLine, argument, first_text, keyword, locator
from longtrail.browser.open_session import Session
from longtrail.browser.view import View
from longtrail.records import axtree_text as axtree
from longtrail.tasks.cases import slug

T = TypeVar("T")
ELEMENT_MS = 15_000
"""Milliseconds within which the app must show an element or a text."""


class NotSeen(Exception):
    """An element that is in the page, but not among those that agents see."""


class PlayedPage:
    """The active page of a session."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def place(self, target: ast.expr) -> tuple[str, dict[str, Any]]:
        """The id of an element in the present observation, and how a reference names it. Raises NotSeen."""
        box = self.ask(target, _in_view)
        view = self.session.observe()
        number = element_at(view, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) if box else ""
        element = next((each for each in axtree.elements(view.text) if each.id == number), None)
        if element is None:
            raise NotSeen
        alike = list(axtree.find(view.text, element.role, element.name))
        nth = alike.index(number) + 1 if number in alike else 1
        return number, {"role": element.role, "name": element.name, **({"nth": nth} if nth > 1 else {})}

    def ask(self, target: ast.expr, question: Callable[[Locator], Awaitable[T]]) -> T:
        """Ask something about an element, once it is there. Raises Playwright's Error, Unreadable."""

        async def ask(page: Page) -> T:
            element = locator(target, page)
            await element.wait_for(state="attached", timeout=ELEMENT_MS)
            return await question(element)

        return self.use(ask)

    def use(self, work: Callable[[Page], Awaitable[T]]) -> T:
        """Do something with the page. Raises what it raises; the session would take an Error for the browser's loss."""

        async def attempt(page: Page) -> T | Exception:
            try:
                return await work(page)
            except (Error, AssertionError) as error:
                return error

        done = self.session.with_page(attempt)
        if isinstance(done, Exception):
            raise done
        return done


def element_at(view: View, x: float, y: float) -> str:
    """The id of the smallest element at a position of the window; empty if there is none."""
    at = [
        ((right - left) * (bottom - top), number)
        for number, (left, top, right, bottom) in view.boxes.items()
        if left - 1 <= x <= right + 1 and top - 1 <= y <= bottom + 1
    ]
    return min(at)[1] if at else ""


async def _in_view(element: Locator) -> Any:
    await element.scroll_into_view_if_needed(timeout=ELEMENT_MS)
    return await element.bounding_box()


TEXTS = frozenset({"to_be_visible", "to_have_text", "to_contain_text"})
"""Assertions about an element that become `text` key steps."""
NAMED = re.compile(r'"((?:[^"\\]|\\.)+)"')
"""A name in an ARIA snapshot."""
MAX_TEXT = 80
"""The longest text of a key step."""


class AssertedKeySteps:
    """The key steps that a test asserts."""

    def __init__(self, page: PlayedPage) -> None:
        self.entries: list[dict[str, Any]] = []
        self._page = page

    def add(self, line: ParsedLine) -> bool:
        """Whether an assertion became a key step. Raises AssertionError if it does not hold, NotSeen, Unreadable."""
        method, text = line.method, line.text
        self._check(line)
        if method == "to_have_url":
            self._add({"kind": "url", "paths": [urlsplit(self._page.session.url).path or "/"]})
        elif method in TEXTS:
            self._add_text(line, text or _words_of(line.target))
        elif method == "to_have_value" and text is not None:
            self._add({"kind": "value", "element": self._page.place(line.target)[1]["name"], "value": text})
        elif method == "to_be_checked" and not line.call.keywords:
            place = self._page.place(line.target)[1]
            self._add({"kind": "element", "action": "click", "role": place["role"], "element": place["name"]})
        elif method == "to_match_aria_snapshot" and text is not None:
            for name in NAMED.findall(text):
                self._add_text(line, name)
        else:
            return False
        return True

    def _check(self, line: ParsedLine) -> None:
        """Let Playwright check an assertion. Of an address only the path counts: the app may be elsewhere."""
        words = {each.arg: argument(each.value) for each in line.call.keywords if each.arg}
        values = [argument(each) for each in line.call.args]
        if line.method.endswith("to_have_url") and isinstance(values[0], str):
            path = urlsplit(values[0])._replace(scheme="", netloc="").geturl()
            values = [re.compile(f"{re.escape(path)}$")]

        async def check(page: Page) -> None:
            subject: Any = page if isinstance(line.target, ast.Name) else locator(line.target, page)
            await getattr(expect(subject), line.method)(*values, **{"timeout": ELEMENT_MS} | words)

        self._page.use(check)

    def _add_text(self, line: ParsedLine, wanted: str) -> None:
        """A key step for a text as the page shows it. Raises NotSeen if there is none."""
        shown = self._page.ask(line.target, lambda element: element.inner_text())
        folded, words = " ".join(shown.split()), " ".join(wanted.split())
        at = folded.lower().find(words.lower())
        text = folded[at : at + len(words)] if words and at >= 0 else shown.strip().partition("\n")[0][:MAX_TEXT]
        if not text.strip():
            raise NotSeen
        self._add({"kind": "text", "text": text.strip()})

    def _add(self, entry: dict[str, Any]) -> None:
        """Add a key step, unless there is the same one."""
        if any(entry.items() <= each.items() for each in self.entries):
            return
        words = str(entry.get("text") or entry.get("element") or entry["paths"][0])
        word = slug(words.replace("_", "-"))[:40].strip("-")
        self.entries.append({"name": f"{len(self.entries) + 1}-{word or entry['kind']}", **entry})


def _words_of(target: ast.expr) -> str:
    """The text or name by which a locator finds its element."""
    if not isinstance(target, ast.Call):
        return ""
    by_text = isinstance(target.func, ast.Attribute) and target.func.attr == "get_by_text"
    return keyword(target, "name") or (first_text(target) if by_text else "") or ""
