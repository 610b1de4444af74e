"""Slips: steps of an errand that its author did not write, because agents make them: a wrong link and the way back, the
same page loaded once more, a guessed address, a search for too many words, a mistyped one, a needless scroll. They are
really played. The errand's id seeds which ones occur, and where.
"""

import random
import re
from urllib.parse import urljoin

from longtrail.records import axtree_text as axtree
from longtrail.tasks.reference import Locator, find
from workshop.noise.errand import NoiseTask, NoiseTaskStep
from workshop.noise.ledger import Ledger
from workshop.noise.page_summary import PageSummary
from workshop.noise.phrasebook import Deck, Phrasebook

SHARES = {"wrong": 0.16, "again": 0.05, "guess": 0.06, "words": 0.07, "further": 0.06}
"""Kind of slip -> the share of moves on a fresh page before which it happens."""
FIRST, TYPO = 0.2, 0.25
"""Share of the errands that begin with a needless web search; share of the searches that are mistyped first."""
MOST = 3
"""Maximum number of slips in one errand."""
_FIT = frozenset({"listing", "table", "detail", "article", "hub"})
"""Kinds of pages on which slips happen: nothing that was entered can be lost there."""
_UNFIT = re.compile(
    r"\b(log ?in|sign|home|join|cart|basket|bag|checkout|remove|add|save|next|previous|page)\b", re.IGNORECASE
)
"""Links that an agent has no reason to take by mistake, or that change something."""


class SlipMaker:
    """Draws the slips of one errand, in the order of its moves."""

    def __init__(self, errand: NoiseTask, book: Phrasebook, ledger: Ledger | None = None) -> None:
        self._book = book
        self._deck = Deck(f"slips:{errand.id}", ledger, book)
        self._random = random.Random(f"slips:{errand.id}")  # noqa: S311 (seeded variety, no secret)
        self._named = " ".join(move.model_dump_json(exclude={"why", "then"}) for move in errand.moves)
        self._topic = errand.topics[0]
        self._left = MOST

    def before(self, move: NoiseTaskStep, page: PageSummary, aim: str) -> tuple[NoiseTaskStep, ...]:
        """The useless steps on this page before the move; mostly none."""
        drawn = self._random.random()
        if not self._left or move.finish is not None or "#" in page.url:
            return ()
        made = self._start(drawn, aim) if page.kind == "start" else self._on_a_site(move, page, drawn, aim)
        self._left -= bool(made)
        return made

    def _start(self, drawn: float, aim: str) -> tuple[NoiseTaskStep, ...]:
        """A web search for the aim, before the address or the search that the errand begins with."""
        if drawn >= FIRST:
            return ()
        return (NoiseTaskStep(search=aim, why=self._say("words", aim), then=self._say("too_wide", aim)),)

    def _on_a_site(self, move: NoiseTaskStep, page: PageSummary, drawn: float, aim: str) -> tuple[NoiseTaskStep, ...]:
        if page.kind not in _FIT:
            return ()
        if move.fill and move.fill.enter and len(move.fill.text) > 3 and self._random.random() < TYPO:
            return self._typo(move.fill, aim)
        for kind, share in SHARES.items():
            if drawn < share:
                return self._of(kind, page, aim)
            drawn -= share
        return ()

    def _of(self, kind: str, page: PageSummary, aim: str) -> tuple[NoiseTaskStep, ...]:
        if kind == "again":
            return (NoiseTaskStep(goto=page.url, why=self._say("again", aim), then=self._say("same", aim)),)
        if kind == "further":
            return (NoiseTaskStep(scroll="down", why=self._say("further", aim), then=self._say("no_more", aim)),)
        if kind == "guess":
            address = urljoin(page.url, "/" + re.sub(r"\W+", "-", self._topic.lower()).strip("-"))
            way = NoiseTaskStep(goto=address, why=self._say("guess", aim), then=self._say("nowhere", aim))
            return (way, self._back(aim))
        if kind == "words":
            return self._words(page, aim)
        return self._detour(other, aim) if (other := self._other(page)) else ()

    def _words(self, page: PageSummary, aim: str) -> tuple[NoiseTaskStep, ...]:
        """The site's own search, asked for the whole aim."""
        boxes = [element.name for element in axtree.elements(page.text) if element.role == "searchbox"]
        if len(boxes) != 1 or '"' in boxes[0]:
            return ()
        box = Locator(role="searchbox", name=boxes[0], text=aim, enter=True)
        asked = NoiseTaskStep(fill=box, why=self._say("words", aim), then=self._say("too_wide", aim))
        return (asked, self._back(aim))

    def _typo(self, field: Locator, aim: str) -> tuple[NoiseTaskStep, ...]:
        """The search that is meant, with two letters exchanged."""
        at = self._random.randrange(1, len(field.text) - 2)
        wrong = f"{field.text[:at]}{field.text[at + 1]}{field.text[at]}{field.text[at + 2 :]}"
        if wrong == field.text:
            return ()
        mistyped = field.model_copy(update={"text": wrong})
        asked = NoiseTaskStep(fill=mistyped, why=self._say("typo", aim), then=self._say("mistyped", aim, typed=wrong))
        return (asked, self._back(aim))

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
        return self._random.choice(fitting) if fitting else ""

    def _detour(self, other: str, aim: str) -> tuple[NoiseTaskStep, ...]:
        locator = Locator(role="link", name=other)
        way = NoiseTaskStep(click=locator, why=self._say("wrong", aim, other=other), then=self._say("in_vain", aim))
        return (way, self._back(aim))

    def _back(self, aim: str) -> NoiseTaskStep:
        return NoiseTaskStep(back=True, why=self._say("back", aim), then=self._say("returned", aim))

    def _say(self, slot: str, aim: str, *, other: str = "", typed: str = "") -> str:
        known = {"aim": aim, "other": other, "typed": typed}
        text = self._deck.deal(getattr(self._book.slips, slot), known, set())
        return text or f"I try another way to {aim}."
