"""Narrator: an agent's thoughts and reflections about what it did and saw. It combines the errand's
own sentences with written phrasings, filled with what the page showed. Order, choice and length are
random, seeded by the errand's id."""

import re

from workshop.noise.errand import NoiseTask
from workshop.noise.ledger import Ledger
from workshop.noise.material import Material
from workshop.noise.page_summary import PageSummary
from workshop.noise.phrasebook import Deck, Phrasebook, Phrasings
from workshop.noise.played_step import PlayedStep

THOUGHT = 330
REFLECTION = 360
"""Sentences are added up to this number of characters, if there is something to say. Two random
factors, one per trajectory and one per step, change both."""
_THOUGHTS = ("OWRAD", "ORWAD", "OWD", "ROWDA", "WRAD", "OAWD", "ROWAD", "WORAD")
"""Orders of a thought: Orientation, Why, Recap, Aside, Declaration."""
_REFLECTIONS = ("HTSJPN", "HSTJPN", "HTJSPN", "HTSPN", "HSTPN", "HJTSPN", "HTJPN")
"""Orders of a reflection: what Happened, Then, what is Seen, Judgement, Purpose, Next."""
_QUIET = frozenset({"fill", "choose", "menu", "save", "scroll"})
"""Intents after which an unchanged page is expected."""
_REVEALING = frozenset({"query", "sort", "filter", "item", "follow", "page"})
"""Intents that lead to something to read."""
_PONDERS, LONG = 0.08, 2.2
"""Share of thoughts that are long, and how much longer they are."""
_GOALS = 0.5
"""Share of texts that may restate the goal."""
_DENIAL = re.compile(r"\b(no|not|nothing|neither|never|without|wrong)\b|n't\b", re.IGNORECASE)
_LONG = 200
"""A reason of this length needs no declaration."""


class Narrator:
    """Writes the texts of one errand, step by step, in forms that are not used too often in the ledger's texts."""

    def __init__(self, errand: NoiseTask, book: Phrasebook, ledger: Ledger | None = None) -> None:
        self._book = book
        self._ledger = ledger or Ledger()
        self._deck = Deck(f"narration:{errand.id}", self._ledger, book)
        self._material = Material(self._deck.random)
        draw = self._deck.random.uniform
        self._verbosity = draw(0.75, 1.25)
        self._orients, self._strays, self._looks_ahead = draw(0.5, 0.95), draw(0.1, 0.4), draw(0.2, 0.6)
        self._last_url = ""
        self._recap = ""

    def thought(self, deed: PlayedStep) -> str:
        """What the agent thinks before the move."""
        page, book, purpose = deed.before, self._book, deed.intent
        self._material.visit(page)
        text = _Text(self._deck, self._material.of(deed, page))
        if text.known["visited"] == self._recap:
            text.known["visited"] = ""
        same = page.url == self._last_url and page.kind != "start" and self._chance(0.6)
        self._last_url = page.url
        text.parts["W"] = deed.move.why
        self._ledger.add(deed.move.why)
        if self._chance(self._orients):
            text.add("O", book.orient["same" if same else page.kind])
        if purpose == "finish":
            text.add("A", book.closing)
        elif self._chance(self._strays):
            text.add("A", book.aside)
        if len(deed.move.why) < _LONG or self._chance(0.5):
            text.add("D", book.declare[purpose])
        text.fill(self._more(page, purpose), self._least(THOUGHT) * (LONG if self._chance(_PONDERS) else 1))
        if "visited" in text.spoken:
            self._recap = text.known["visited"]
        return text.arranged(_THOUGHTS)

    def _more(self, page: PageSummary, purpose: str) -> list[tuple[str, Phrasings]]:
        """What else a thought may contain."""
        book = self._book
        if purpose == "finish":
            return [("R", book.recap)]
        more = [("R", book.recap), ("A", book.aside)]
        if self._chance(_GOALS):
            more.append(("R", book.purpose))
        if page.kind != "start":
            seen = book.seen.get(page.kind, ())
            more += [("O", book.orient[page.kind]), ("O", seen), ("O", book.quotes), ("O", seen), ("O", book.quotes)]
        self._deck.random.shuffle(more)
        return more

    def reflection(self, deed: PlayedStep, after: PageSummary) -> str:
        """The agent's reflection about the page that the move led to."""
        book, verdict = self._book, _verdict(deed, after)
        text = _Text(self._deck, self._material.of(deed, after))
        text.add("H", book.happened[deed.intent])
        text.parts["T"] = deed.move.then
        self._ledger.add(deed.move.then)
        judgements = book.judge[verdict]
        if (
            verdict == "progress"
            and deed.intent in _REVEALING
            and deed.move.then
            and not _DENIAL.search(deed.move.then)
        ):
            judgements += book.judge["found"]
        if verdict in ("empty", "complaint") or self._chance(0.55):
            text.add("J", judgements)
        ahead = book.ready if deed.upcoming and deed.upcoming.finish is not None else book.next
        if self._chance(self._looks_ahead):
            text.add("N", ahead)
        seen = book.seen.get(after.kind, ())
        fillers = [
            ("S", book.quotes),
            ("N", ahead),
            ("S", seen),
            ("S", book.quotes),
            ("J", judgements),
            ("S", seen),
            ("S", book.quotes),
            ("S", seen),
            ("S", book.quotes),
            ("S", seen),
            ("S", seen),
            ("S", book.quotes),
            ("S", seen),
            ("S", book.quotes),
            ("S", seen),
        ]
        if ahead is book.next:
            fillers.append(("P", book.purpose))
        text.fill(fillers, self._least(REFLECTION))
        return text.arranged(_REFLECTIONS)

    def _least(self, characters: int) -> float:
        return characters * self._verbosity * self._deck.random.uniform(0.7, 1.2)

    def _chance(self, share: float) -> bool:
        return self._deck.random.random() < share


class _Text:
    """A thought or a reflection while it is built: its parts by slot, and the fields that they use."""

    def __init__(self, deck: Deck, known: dict[str, str]) -> None:
        self.known = known
        self.parts: dict[str, str] = {}
        self.spoken: set[str] = set()
        self._deck = deck

    def add(self, slot: str, phrasings: Phrasings) -> None:
        """Add a sentence to a slot, if one fits."""
        text = self._deck.deal(phrasings, self.known, self.spoken)
        self.parts[slot] = f"{self.parts.get(slot, '')} {text}".strip()

    def fill(self, fillers: list[tuple[str, Phrasings]], least: float) -> None:
        """Add from these, one after the other, while the text is too short; at most one judgement
        and one outlook."""
        for slot, phrasings in fillers:
            if sum(len(part) + 1 for part in self.parts.values()) < least and not (
                slot in "JNPA" and self.parts.get(slot)
            ):
                self.add(slot, phrasings)

    def arranged(self, orders: tuple[str, ...]) -> str:
        """The parts, in an order that has slots for all of them."""
        present = {slot for slot, part in self.parts.items() if part}
        order = self._deck.random.choice([order for order in orders if present <= set(order)])
        return " ".join(self.parts[slot].strip() for slot in order if slot in present)


def _verdict(deed: PlayedStep, after: PageSummary) -> str:
    if after.complaint and (deed.intent == "submit" or after.complaint != deed.before.complaint):
        return "complaint"
    if re.match(r"0\b", after.count) or (after.kind in ("listing", "results") and not after.items and not after.count):
        return "empty"
    if deed.upcoming and deed.upcoming.back:
        return "detour"
    if deed.intent not in _QUIET and (after.url, after.text) == (deed.before.url, deed.before.text):
        return "surprise"
    return "progress"
