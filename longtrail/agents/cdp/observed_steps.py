"""Observed steps: makes steps from the actions, new documents and readable pages of a browser that somebody else
drives. A new document is a step, together with the click that led to it, if any. Every other action is a separate
step.
"""

from dataclasses import dataclass
from typing import Any

from longtrail.agents.cdp.request_causes import Cause
from longtrail.browser.view import View
from longtrail.records.action import ACTION, Action, Goto
from longtrail.records.observation import Observation
from longtrail.records.trajectory import Outcome, Target

UNNAMED = "0"
"""The id of elements that our observations did not number."""
UNREAD = "the page was left before it could be read"
WEB = ("http:", "https:")


@dataclass(frozen=True, slots=True)
class ObservedAction:
    """One action of whoever drives the browser."""

    action: Action
    target: Target
    value: str
    cause: Cause

    @classmethod
    def of(cls, message: dict[str, Any], cause: Cause) -> "ObservedAction":
        """From the report of the page's script."""
        value = str(message["value"])
        kind, field = message["type"], {"fill": "text", "select": "option", "press": "keys", "upload": "file"}
        fields = {"type": kind, "id": UNNAMED} | ({field[kind]: value} if kind in field else {})
        return cls(ACTION.validate_python(fields), Target.model_validate(message["target"]), value, cause)


@dataclass(frozen=True, slots=True)
class ObservedStep:
    """A page as it was shown, an action on it, and the result."""

    number: int
    """From 0."""
    document: str
    """The address of the page's document, which may differ from the address bar."""
    before: View
    action: Action
    outcome: Outcome


class ObservedSteps:
    """Turns events, in order, into steps."""

    def __init__(self) -> None:
        self.view: View | None = None
        """The last observed page."""
        self.document = ""
        """The address of its document."""
        self.waiting: list[ObservedAction] = []
        """Actions that are not steps yet: the last one may lead to another document."""
        self._happened: list[ObservedStep] = []
        self._number = 0
        self._navigating = False
        """Whether the page began to open another document after an action."""

    def restart(self) -> None:
        """Forget what happened, and count from 0."""
        self._happened.clear()
        self.waiting.clear()
        self._number, self._navigating = 0, False

    def take_steps(self) -> list[ObservedStep]:
        """The steps since the last call, which are removed from here."""
        happened, self._happened = self._happened, []
        return happened

    def add_action(self, action: ObservedAction) -> None:
        """Add an action on the page."""
        self._flush(remaining=0)
        self.waiting.append(action)
        self._navigating = False

    def navigation_began(self) -> None:
        """The page begins to open another document, in this window or in a new one."""
        self._navigating = True

    @property
    def leaving(self) -> bool:
        """Whether an action leads to another document that has not loaded yet."""
        return self._navigating and bool(self.waiting)

    def page_left(self, view: View, document: str) -> None:
        """A page reports its state when it was left: the last actions were done on this state."""
        self._flush(remaining=1)
        self.view, self.document = view, document

    def opened(self, url: str, cause: Cause) -> None:
        """A document came."""
        led = self.waiting.pop() if self.leaving else None
        self._flush(remaining=0)
        if led is None:
            self._add(Goto(url=url), None, url, (url,), cause)
        else:
            self._add(led.action, led, url, (url,), led.cause, cause)
        self._navigating = False
        if url.startswith(WEB):
            self.view, self.document = View(Observation(url=url, text="", note=UNREAD)), url

    def page_read(self, view: View, document: str, *, changes: bool) -> None:
        """The page was read. `changes`: if it differs from before without an action, a script changed it."""
        same = self.view is None or state(view) == state(self.view) or self.view.observation.note == UNREAD
        if self.waiting:
            self._flush(remaining=0, url=view.url)
        elif changes and not same:
            self._add(Goto(url=view.url), None, view.url, ())
        self.view, self.document = view, document

    def end(self) -> None:
        """The pending actions have no further result."""
        self._flush(remaining=0)

    def _flush(self, *, remaining: int, url: str = "") -> None:
        while len(self.waiting) > remaining:
            step = self.waiting.pop(0)
            self._add(step.action, step, url or step.cause.url, (), step.cause)

    def _add(
        self, action: Action, done: ObservedAction | None, url: str, navigations: tuple[str, ...], *causes: Cause
    ) -> None:
        outcome = Outcome(
            ok=True,
            target=done.target if done else None,
            value=done.value if done else "",
            url=url,
            navigations=navigations,
            violations=tuple(
                f"the browser opened {url[:500]}" for url in navigations if not url.startswith((*WEB, "about:"))
            ),
        )
        for cause in causes:
            cause.step = self._number
        before = self.view or View(Observation(url=url, text="", note=UNREAD))
        self._happened.append(ObservedStep(self._number, self.document or url, before, action, outcome))
        self._number += 1


def state(view: View) -> tuple[str, str]:
    """A key that is equal for two views of the same page state."""
    return view.url, view.observation.text_hash
