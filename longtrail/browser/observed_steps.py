"""Observed steps: what happened in a browser that somebody else drives, put together from what was done there, the
documents that came, and the pages that could be read.

A document is a step, together with the click that led to it where there was one. All else that was done is a step each.
"""

from dataclasses import dataclass
from typing import Any

from longtrail.browser.request_causes import Cause
from longtrail.browser.view import View
from longtrail.records.action import Action, Click, Fill, Goto, Select
from longtrail.records.observation import Observation
from longtrail.records.trajectory import Outcome, Target

UNNAMED = "0"
"""The id of an element that nobody asked us for."""
UNREAD = "the page was left before it could be read"
WEB = ("http:", "https:")


@dataclass(frozen=True, slots=True)
class ObservedAction:
    """A click, a field filled in, an option chosen."""

    action: Action
    target: Target
    value: str
    cause: Cause

    @classmethod
    def of(cls, told: dict[str, Any], cause: Cause) -> "ObservedAction":
        """As the page's script tells it."""
        value = str(told["value"])
        kinds: dict[str, Action] = {
            "click": Click(id=UNNAMED),
            "fill": Fill(id=UNNAMED, text=value),
            "select": Select(id=UNNAMED, option=value),
        }
        return cls(kinds[told["type"]], Target.model_validate(told["target"]), value, cause)


@dataclass(frozen=True, slots=True)
class ObservedStep:
    """A page as it was shown, what was done there, and what came of it."""

    number: int
    """From 0."""
    document: str
    """The address of the document that the page was, whatever the address bar said."""
    before: View
    action: Action
    outcome: Outcome


class ObservedSteps:
    """Takes events in their order and makes steps of them."""

    def __init__(self) -> None:
        self.view: View | None = None
        """The page as it was seen last."""
        self.document = ""
        """The address of its document."""
        self.waiting: list[ObservedAction] = []
        """What was done, and is no step yet: the last of it may lead to another document."""
        self._happened: list[ObservedStep] = []
        self._number = 0
        self._leading = False
        """Did the page begin to open another document since something was done there?"""

    def begin(self) -> None:
        """What happens from now on counts."""
        self._happened.clear()
        self.waiting.clear()
        self._number, self._leading = 0, False

    def taken(self) -> list[ObservedStep]:
        """The steps since this was asked last."""
        happened, self._happened = self._happened, []
        return happened

    def did(self, action: ObservedAction) -> None:
        """Something was done on the page."""
        self._flush(keep=0)
        self.waiting.append(action)
        self._leading = False

    def leads_on(self) -> None:
        """The page begins to open another document, in this window or in a new one."""
        self._leading = True

    @property
    def leaving(self) -> bool:
        """Was something done that leads to another document, which is not there yet?"""
        return self._leading and bool(self.waiting)

    def left(self, view: View, document: str) -> None:
        """A page tells how it was when it was left: what was done there last was done on this."""
        self._flush(keep=1)
        self.view, self.document = view, document

    def opened(self, url: str, cause: Cause) -> None:
        """A document came."""
        led = self.waiting.pop() if self.leaving else None
        self._flush(keep=0)
        if led is None:
            self._add(Goto(url=url), None, url, (url,), cause)
        else:
            self._add(led.action, led, url, (url,), led.cause, cause)
        self._leading = False
        if url.startswith(WEB):
            self.view, self.document = View(Observation(url=url, text="", note=UNREAD)), url

    def seen(self, view: View, document: str, *, changes: bool) -> None:
        """The page was read. `changes`: where it is another than before, and nobody did anything, a script was it."""
        same = self.view is None or state(view) == state(self.view) or self.view.observation.note == UNREAD
        if self.waiting:
            self._flush(keep=0, url=view.url)
        elif changes and not same:
            self._add(Goto(url=view.url), None, view.url, ())
        self.view, self.document = view, document

    def end(self) -> None:
        """Nothing more comes of what was done."""
        self._flush(keep=0)

    def _flush(self, *, keep: int, url: str = "") -> None:
        while len(self.waiting) > keep:
            each = self.waiting.pop(0)
            self._add(each.action, each, url or each.cause.url, (), each.cause)

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
    """Two views of the same state of a page have the same."""
    return view.url, view.observation.text_hash
