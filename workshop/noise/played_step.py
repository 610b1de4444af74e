"""Played step: one executed move and its purpose."""

import re
from dataclasses import dataclass
from typing import Literal

from longtrail.records.trajectory import Target
from workshop.noise.errand import NoiseTaskStep
from workshop.noise.page_summary import PageSummary

Intent = Literal[
    "open", "jump", "search", "query", "fill", "choose", "sort", "menu", "filter", "unfilter", "add", "save", "remove",
    "submit", "item", "follow", "page", "back", "scroll", "finish",
]  # fmt: skip


@dataclass(frozen=True)
class PlayedStep:
    """The move: on which page and element, and why."""

    move: NoiseTaskStep
    before: PageSummary
    target: Target | None = None
    typed: str = ""
    """What was typed, searched for, or chosen."""
    aim: str = ""
    """The aim of the move, as an infinitive."""
    aim_after: str = ""
    """The aim after it."""
    upcoming: NoiseTaskStep | None = None
    """The move after this one."""

    @property
    def name(self) -> str:
        """The element's name."""
        return self.target.name if self.target else ""

    @property
    def intent(self) -> Intent:
        """The intent of the move, derived from its element."""
        move = self.move
        if move.fill:
            return "query" if move.fill.enter else "fill"
        if move.select:
            return "sort" if self.name.lower().startswith("sort") else "choose"
        if move.click:
            return self._click()
        if move.goto is not None:
            return "open" if self.before.kind == "start" else "jump"
        if move.search is not None:
            return "search"
        if move.scroll is not None:
            return "scroll"
        return "back" if move.back else "finish"

    def _click(self) -> Intent:
        if self.name in self.before.filters:
            return "unfilter" if self._stands("checked|selected") else "filter"
        if self.target and self.target.role == "button":
            return self._button()
        if re.fullmatch(r"Page \d+|Next|Previous|Show more", self.name):
            return "page"
        if self.before.kind == "results":
            return "follow"
        return "item" if any(item.split(" (")[0] == self.name for item in self.before.items) else "follow"

    def _button(self) -> Intent:
        if self._stands("collapsed|expanded"):
            return "menu"
        if self.name.startswith("Remove"):
            return "remove"
        if re.match(r"(Save|Add) to (favorites|wishlist)|(Save|Like|Follow|Track|Bookmark)$", self.name):
            return "save"
        return "add" if self.name.startswith("Add") else "submit"

    def _stands(self, states: str) -> bool:
        """Whether the element is in one of these states."""
        return re.search(rf'"{re.escape(self.name)}"(?: \w+)* (?:{states})\b', self.before.text) is not None
