"""Slips: steps of an errand that its author did not write, because agents make them: a wrong link and the way back, and
the same page loaded once more. They are really played; where and which is drawn by the errand's id.
"""

import re

from longtrail.authoring.noise.errand import NoiseTask, NoiseTaskStep
from longtrail.authoring.noise.page_summary import PageSummary
from longtrail.authoring.noise.phrasebook import Deck, Phrasebook
from longtrail.tasks.reference import Locator, find

WRONG, AGAIN = 0.14, 0.06
"""Share of the moves on a fresh page before which the agent takes a wrong link, or loads the page again."""
MOST = 2
"""Slips in one errand, at most."""
_FIT = frozenset({"listing", "table", "detail", "article", "hub"})
"""Kinds of pages on which one slips: nothing that was entered can be lost there."""
_UNFIT = re.compile(
    r"\b(log ?in|sign|home|join|cart|basket|bag|checkout|remove|add|save|next|previous|page)\b", re.IGNORECASE
)
"""Links that an agent has no reason to take by mistake, or that change something."""


class SlipMaker:
    """Draws the slips of one errand, in the order of its moves."""

    def __init__(self, errand: NoiseTask, book: Phrasebook) -> None:
        self._book = book
        self._deck = Deck(f"slips:{errand.id}")
        self._named = " ".join(move.model_dump_json(exclude={"why", "then"}) for move in errand.moves)
        self._left = MOST

    def before(self, move: NoiseTaskStep, page: PageSummary, aim: str) -> tuple[NoiseTaskStep, ...]:
        """What the agent does on this page, in vain, before the move; mostly nothing."""
        drawn = self._deck.random.random()
        if not self._left or page.kind not in _FIT or move.finish is not None or "#" in page.url:
            return ()
        if drawn < WRONG and (other := self._other(page)):
            self._left -= 1
            return self._detour(other, aim)
        if WRONG <= drawn < WRONG + AGAIN:
            self._left -= 1
            return (NoiseTaskStep(goto=page.url, why=self._say("again", aim), then=self._say("same", aim)),)
        return ()

    def _other(self, page: PageSummary) -> str:
        """A link of the page that the errand has no use for, and that has its name alone."""
        fitting = [
            name
            for name in page.links
            if not _UNFIT.search(name)
            and '"' not in name
            and name not in self._named
            and find(page.text, Locator(role="link", name=name)) is not None
            and find(page.text, Locator(role="link", name=name, nth=2)) is None
        ]
        return self._deck.random.choice(fitting) if fitting else ""

    def _detour(self, other: str, aim: str) -> tuple[NoiseTaskStep, ...]:
        locator = Locator(role="link", name=other)
        return (
            NoiseTaskStep(click=locator, why=self._say("wrong", aim, other), then=self._say("in_vain", aim)),
            NoiseTaskStep(back=True, why=self._say("back", aim), then=self._say("returned", aim)),
        )

    def _say(self, slot: str, aim: str, other: str = "") -> str:
        return self._deck.deal(getattr(self._book.slips, slot), {"aim": aim, "other": other}, set())
