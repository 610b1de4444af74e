"""Played page: finds the elements of a Playwright test in a session as agents have it. Playwright tells where an
element is, the observation which one that is.
"""

import ast
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from playwright.async_api import Error, Locator, Page

from longtrail.authoring.playwright_locators import locator
from longtrail.browser.open_session import Session
from longtrail.browser.view import View
from longtrail.records import axtree_text as axtree

T = TypeVar("T")
PATIENCE = 15_000
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
            await element.wait_for(state="attached", timeout=PATIENCE)
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
    await element.scroll_into_view_if_needed(timeout=PATIENCE)
    return await element.bounding_box()
