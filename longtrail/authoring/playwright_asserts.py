"""Playwright asserts: the `expect` lines of a test, which become key steps. Each must hold in the app."""

import ast
import re
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import Page, expect

from longtrail.authoring.played_page import PATIENCE, NotSeen, PlayedPage
from longtrail.authoring.playwright_locators import argument, first_text, keyword, locator
from longtrail.authoring.playwright_reader import ParsedLine
from longtrail.tasks.cases import slug

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
            await getattr(expect(subject), line.method)(*values, **{"timeout": PATIENCE} | words)

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
