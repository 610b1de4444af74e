"""Evidence: which required facts a decision gives as its reasons, and which it was shown (PATHWAYS: investigation and
reasoning).

Reasoning uses only the decision; thoughts don't count. A fact is given by a piece of evidence that quotes a passage
with it, or by words that state it: what a piece shows, the justification, the message to the user.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from longtrail.checks.facts import Distractor, Fact
from longtrail.records.action import MAX_JUSTIFICATION, MAX_PIECES, MAX_QUOTE, MAX_SHOWS, Decide, Evidence
from longtrail.records.result import FactResult
from longtrail.records.trajectory import Step
from longtrail.scoring.measures.copied import own_words
from longtrail.scoring.measures.delivery import ShownPage
from longtrail.scoring.measures.quotes import is_passage, quoted_sentences, stands_on
from longtrail.text.alternatives import Alternative
from longtrail.text.matcher import find, matches
from longtrail.text.resemblance import agrees, has_values, share
from longtrail.text.statements import asserts, calls_false, denies, states

RECORD = 2
"""Number of lines before and after a line of a page that are of the same record: its title, its date, its author."""
CITED = 0.25
"""Minimum share of a fact's weight in a piece's quotation and `shows` together, if the quotation is from its record."""


@dataclass(frozen=True)
class Reasons:
    """The parts of a decision that count: its first pieces of evidence, and its prose without long copies of pages."""

    pieces: tuple[Evidence, ...]
    prose: tuple[str, ...]
    """What each `for` piece shows, the justification, the message."""

    @classmethod
    def of(cls, decision: Decide, pages: Sequence[ShownPage]) -> "Reasons":
        """The parts of a decision that count."""
        pieces = tuple(
            piece.model_copy(update={"quote": piece.quote[:MAX_QUOTE], "shows": piece.shows[:MAX_SHOWS]})
            for piece in decision.evidence[:MAX_PIECES]
        )
        texts = [
            *(piece.shows for piece in pieces if piece.use == "for"),
            decision.justification[:MAX_JUSTIFICATION],
            decision.response[:MAX_JUSTIFICATION],
        ]
        return cls(pieces, tuple(own_words(texts, (page.text for page in pages))))

    @property
    def structured(self) -> bool:
        """Whether the decision has any pieces of evidence."""
        return bool(self.pieces)

    def shown(self, use: Literal["for", "ruled_out"]) -> tuple[str, ...]:
        """What each piece of this use shows."""
        return tuple(piece.shows for piece in self.pieces if piece.use == use and piece.shows)

    @property
    def asserting(self) -> tuple[str, ...]:
        """The texts in which a distractor can be given as a reason: with evidence, what `for` pieces show."""
        if not self.structured:
            return self.prose
        return self.shown("for")


def judge(
    facts: Sequence[Fact],
    delivery: dict[str, int | None],
    pages: Sequence[ShownPage],
    steps: Sequence[Step],
    reasons: Reasons | None,
    now: datetime,
) -> tuple[FactResult, ...]:
    """Every required fact: when it was shown, whether it was said anywhere, and whether the decision gives it.

    `steps` end with the decision; `reasons`: the parts of it that count, None if there is none.
    """
    decided = steps[-1].number if steps and reasons else None
    return tuple(_judge(fact, delivery[fact.id], reasons, decided, pages, steps, now) for fact in facts)


def _judge(
    fact: Fact,
    shown: int | None,
    reasons: Reasons | None,
    decided: int | None,
    pages: Sequence[ShownPage],
    steps: Sequence[Step],
    now: datetime,
) -> FactResult:
    how = given(fact, reasons, pages, now) if reasons and shown is not None else ""
    said = decided if how else _said_anywhere(fact, steps, now)
    when = f"shown at step {shown}" if shown else "noted before the noise"
    if how:
        reason = f"{when}, {how}"
    elif shown is None:
        reason = "never shown" + (f", though said at step {said}" if said else "")
    else:
        reason = f"{when}, but the decision does not give it"
    return FactResult(
        id=fact.id,
        says=fact.says,
        delivered=shown,
        said=said is not None,
        said_at=said,
        counted=bool(how),
        reason=reason,
    )


def given(fact: Fact, reasons: Reasons, pages: Sequence[ShownPage], now: datetime) -> str:
    """How a decision gives a shown fact: the piece that quotes or cites it, or stated; empty if it does not."""
    wanted = {key.casefold() for key in fact.pages}
    own = [page for page in pages if page.keys & wanted]
    ways = (*fact.shown, *fact.said)
    uses = ("for", "ruled_out") if fact.overruled else ("for",)
    pieces = [] if fact.pictured else [(n, piece) for n, piece in enumerate(reasons.pieces, 1) if piece.use in uses]
    for number, piece in pieces:
        if _quotes(fact, ways, piece.quote, own, now):
            return f"quoted by piece {number}"
    prose = reasons.prose + (reasons.shown("ruled_out") if fact.overruled else ())
    if any(states(ways, fact.says, text, now) for text in prose if text):
        return "stated by the decision"
    passages = [passage for page in own for passage in _passages(fact, page, now)]
    for number, piece in pieces:
        if _cites(fact, piece, passages):
            return f"cited by piece {number}"
    told = [passage.line for passage in passages]
    if told and any(states((), fact.says, text, now, passages=told) for text in prose if text):
        return "restated by the decision"
    return ""


@dataclass(frozen=True, slots=True)
class _Passage:
    """A line of a page that shows a fact, and the lines around it, which are of the same record."""

    line: str
    around: str


def _passages(fact: Fact, page: ShownPage, now: datetime) -> list[_Passage]:
    """The lines of a page that show a fact, each once."""
    spans = (matches(way, page.text, now) for way in fact.shown)
    places = sorted({page.text.count("\n", 0, span.start) for span in spans if span})
    lines = page.text.split("\n") if places else []
    return [_Passage(lines[at], "\n".join(lines[max(0, at - RECORD) : at + RECORD + 1])) for at in places]


def _cites(fact: Fact, piece: Evidence, passages: Sequence[_Passage]) -> bool:
    """Whether a piece quotes the record that shows a fact, and restates the fact with its quotation and its `shows`.
    If it quotes the very line that shows the fact, half of CITED is enough."""
    if not agrees(fact.says, piece.shows):
        return False
    told = share(fact.says, f"{piece.quote} {piece.shows}")
    for passage in passages:
        line, record = f"{fact.says} {passage.line}", passage.around
        if told >= CITED and share(piece.shows, line) > 0 and _is_from(piece.quote, record):
            return True
        if told >= CITED / 2 and share(fact.says, piece.shows) > 0 and _is_from(piece.quote, passage.line):
            return True
    return False


def _is_from(quote: str, lines: str) -> bool:
    return stands_on(quote, lines) and is_passage(quote, lines) and has_values(lines, quote)


def _quotes(fact: Fact, ways: Sequence[Alternative], quote: str, pages: Sequence[ShownPage], now: datetime) -> bool:
    """Whether a quotation is on one of the fact's pages, and the fact is in the quotation or in the quoted sentences
    of the page. (`delivery` checks that the fact was served, not typed by the agent.)"""
    line = " ".join(quote.split())
    for page in pages:
        if stands_on(quote, page.text) and is_passage(quote, page.text):
            if find(ways, line, now):
                return True
            if any(find(fact.shown, sentence, now) for sentence in quoted_sentences(quote, page.text)):
                return True
    return False


def _said_anywhere(fact: Fact, steps: Sequence[Step], now: datetime) -> int | None:
    """Number of the first step whose thought or decision states the fact; the paper's reasoning needs only this."""
    ways = (*fact.shown, *fact.said)
    for step in steps:
        if find(ways, step.thought, now, asserted=True):
            return step.number
        if isinstance(step.action, Decide) and find(ways, reasons_text(step.action), now, asserted=True):
            return step.number
    return None


def reasons_text(decision: Decide) -> str:
    """A decision's justification and its evidence, one line per piece."""
    pieces = (f"{piece.source}: {piece.quote}\n{piece.shows}" for piece in decision.evidence)
    return "\n".join([decision.justification, *pieces])


def asserted_distractors(
    distractors: Sequence[Distractor], reasons: Reasons, now: datetime
) -> tuple[tuple[Distractor, str], ...]:
    """The distractors that a decision gives as reasons, each with the sentence that does so."""
    found = []
    for distractor in distractors:
        sentence = next(
            (s for text in reasons.asserting if (s := asserts(distractor.said, distractor.says, text, now))), None
        )
        if sentence is not None:
            found.append((distractor, sentence.text))
    return tuple(found)


def contradicted(
    facts: Sequence[Fact], counted: Sequence[FactResult], reasons: Reasons, now: datetime
) -> tuple[Fact, ...]:
    """The required facts of which a decision states the opposite: a fact that it explicitly calls false, whatever it
    quotes, or one that it denies and does not give.
    """
    given_ids = {result.id for result in counted if result.counted}
    found = []
    for fact in facts:
        ways = (*fact.shown, *fact.said)
        against = any(
            calls_false(ways, fact.says, text, now) or (fact.id not in given_ids and denies(ways, fact.says, text, now))
            for text in reasons.prose
        )
        if against and not any(states(ways, fact.says, text, now) for text in reasons.prose):
            found.append(fact)
    return tuple(found)
