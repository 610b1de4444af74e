"""The evidence of a decision case: facts x steps, the lines that state a fact, and what each quotation cites."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from longtrail.checks.facts import Distractor, Fact
from longtrail.clock import NOW
from longtrail.records.action import Decide, Evidence
from longtrail.records.observation import Observation, words_of
from longtrail.records.result import ClaimResult, FactResult
from longtrail.scoring.citations import counted_evidence, passages_with
from longtrail.scoring.decision_view import DecisionView
from longtrail.scoring.shown_pages import ShownPage
from longtrail.text.matcher import find, matches

Cell = Literal["", "open", "shown", "first", "said", "given", "asserted"]
"""States of a cell: nothing; the page was open but did not show the fact; it was delivered (`first`: for the first
time); a thought stated it; the decision gives it; a distractor: the decision gives it as a reason."""


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """A fact or a distractor, with a cell for each step."""

    id: str
    says: str
    where: str
    """Its pages in words."""
    kind: Literal["required", "supporting", "distractor"]
    cells: tuple[Cell, ...]
    """First what was noted before the noise, if anything, then each step."""
    ended: str
    """The outcome in words."""
    good: bool
    """Whether that outcome is good."""


def evidence_matrix(view: DecisionView) -> tuple[MatrixRow, ...]:
    """The rows: required facts, supporting ones, distractors."""
    results = {fact.id: fact for fact in (*view.facts, *view.supporting)}
    facts = [*view.task.required, *view.task.supporting]
    quoted = view.citations.distractors(view.task.distractors, view.task.investigation_facts) if view.citations else ()
    asserted = {distractor.id: quote for distractor, quote in quoted}
    return (
        *(_fact(view, fact, results[fact.id]) for fact in facts),
        *(_distractor(view, distractor, asserted.get(distractor.id, "")) for distractor in view.task.distractors),
    )


def _fact(view: DecisionView, fact: Fact, result: FactResult) -> MatrixRow:
    decided = view.deciding.number if view.deciding else None
    noted: tuple[Cell, ...] = ("first" if result.delivered == 0 else "",) if view.noted else ()
    cells = (*noted, *(_cell(fact, result, page, decided) for page in view.pages))
    return MatrixRow(
        id=fact.id,
        says=fact.says,
        where=_where(fact.pages),
        kind="supporting" if fact.supporting else "required",
        cells=cells,
        ended=_ended(result, cells),
        good=result.counted or fact.supporting,
    )


def _where(pages: Sequence[str]) -> str:
    """Names of pages, one for each record: the shortest."""
    shortest = {record_of(key): key for key in sorted(pages, key=len, reverse=True)}
    return ", ".join(page_in_words(key) for key in reversed(shortest.values()))


def _cell(fact: Fact, result: FactResult, page: ShownPage, decided: int | None) -> Cell:
    if page.step == decided and result.counted:
        return "given"
    if page.step == result.delivered:
        return "first"
    on_page = bool(page.keys & {key.casefold() for key in fact.pages})
    if on_page and not fact.pictured and any(map(page.shows, fact.shown)):
        return "shown"
    if page.step == result.said_at:
        return "said"
    return "open" if on_page else ""


def _ended(result: FactResult, cells: Sequence[Cell]) -> str:
    if result.counted:
        return "given as a reason"
    if result.delivered is not None:
        return "seen, not given" if result.delivered else "noted before the noise, not given"
    return "its page was open, it was not shown" if "open" in cells else "never seen"


def _distractor(view: DecisionView, distractor: Distractor, asserted: str) -> MatrixRow:
    decided = view.deciding.number if view.deciding else None
    wanted = {key.casefold() for key in distractor.pages}

    def cell(page: ShownPage) -> Cell:
        if asserted and page.step == decided:
            return "asserted"
        if (not wanted or page.keys & wanted) and find(distractor.said, page.text, NOW):
            return "shown"
        return "open" if page.keys & wanted else ""

    noted_before = any(
        (not wanted or page.keys & wanted) and find(distractor.said, page.text, NOW) for page in view.noted_pages
    )
    noted: tuple[Cell, ...] = ("shown" if noted_before else "",) if view.noted else ()
    return MatrixRow(
        id=distractor.id,
        says=distractor.says,
        where=_where(distractor.pages),
        kind="distractor",
        cells=(*noted, *map(cell, view.pages)),
        ended=f'given as a reason: "{asserted}"' if asserted else "not given as a reason",
        good=not asserted,
    )


def fact_lines(view: DecisionView) -> dict[int, frozenset[str]]:
    """Number of a step in the episode -> lines of its observation. A fact that spans several lines marks none."""
    lines_by_page: dict[int, frozenset[str]] = {}
    for number, (step, page) in enumerate(zip((*view.noted, *view.steps), view.known_pages, strict=True), 1):
        facts = [
            fact
            for fact in view.task.investigation_facts
            if not fact.pictured and page.keys & {key.casefold() for key in fact.pages}
        ]
        ways = [pattern for fact in facts for pattern in fact.shown if matches(pattern, page.text, NOW)]
        if ways:
            lines = {line: _words(step.observation, line) for line in step.observation.text.split("\n") if line.strip()}
            lines_by_page[number] = frozenset(
                line for line, words in lines.items() if any(matches(pattern, words, NOW) for pattern in ways)
            )
    return lines_by_page


def _words(observation: Observation, line: str) -> str:
    return words_of(observation.model_copy(update={"text": line, "title": "", "note": "", "unserved": ()}))


@dataclass(frozen=True, slots=True)
class CitedPiece:
    """A piece of evidence, and where its quote was delivered."""

    piece: Evidence
    step: int | None
    """Number of the first step in the episode that was shown the quote; None: none was."""
    page: str
    """That page's name in words."""
    passage: str
    """The page's lines that contain the quotation."""
    claim: ClaimResult | None
    """The score's verdict on the piece."""

    @property
    def flagged(self) -> bool:
        """Whether it counts as a hallucination."""
        return self.claim is not None and self.claim.flagged


def cited(decision: Decide, pages: Sequence[ShownPage], claims: Sequence[ClaimResult]) -> tuple[CitedPiece, ...]:
    """The pieces that count, in order. `pages`: all delivered pages, from the episode's first step on; `claims`: the
    score's, first those of the pieces."""
    pieces = counted_evidence(decision)
    verdicts = [*claims[: len(pieces)], *(None for _ in pieces[len(claims) :])]
    return tuple(_cited(piece, pages, claim) for piece, claim in zip(pieces, verdicts, strict=True))


def _cited(piece: Evidence, pages: Sequence[ShownPage], claim: ClaimResult | None) -> CitedPiece:
    for number, page in enumerate(pages, 1):
        if (passage := next(passages_with(piece.quote, page), None)) is not None:
            name = page_in_words(page.name) if page.keys else ""
            return CitedPiece(piece, number, name, " ".join(passage.split()), claim)
    return CitedPiece(piece, None, "", "", claim)


def loose(claims: Sequence[ClaimResult], pieces: Sequence[CitedPiece]) -> tuple[ClaimResult, ...]:
    """The claims that are not pieces of evidence: sentences of the justification and the message."""
    return tuple(claims[len(pieces) :])


_TABS = {"history": "comments history", "creditmemos": "credit memos"}
_KINDS = {"creditmemo": "credit memo", "cms": "written page", "customer": "customer", "image": "picture"}
_GRIDS = {"cms": "list of written pages", "creditmemos": "list of credit memos", "dashboard": "dashboard"}


def page_in_words(key: str) -> str:
    """A page key (`checks/page_names`) in ordinary words."""
    kind, _, record = key.partition(":")
    if kind == "forum":
        return _forum(record)
    if kind == "image":
        return "a picture"
    if not record or not record[0].isdigit():
        return _GRIDS.get(kind, f"list of {kind}")
    number, _, tab = record.partition("/")
    return f"{_KINDS.get(kind, kind)} {number}" + (f", {_TABS.get(tab, tab)}" if tab else "")


def _forum(page: str) -> str:
    kind, _, name = page.partition("/")
    if kind == "user":
        name, _, part = name.partition("/")
        return f"{name}'s {part}" if part else f"{name}'s profile"
    if kind == "log":
        return f"moderation log of {name}" if name else "moderation log"
    if kind == "wiki":
        return f"wiki page {name}" if name else "wiki"
    if kind == "submission":
        return f"submission {name.split('/')[0]}"
    return f"forum {name}" if kind == "f" else f"{kind} {name}".strip()


def record_of(key: str) -> str:
    """The record that a page belongs to: `order:635` for `order:635/history`, `forum:user/ada` for its comments."""
    if key.startswith("forum:"):
        return "/".join(key.split("/")[:2])
    return key.split("/")[0]


def named_in(key: str) -> str:
    """How lists and texts name the record: by its number or the member's name; empty if it has neither."""
    record = record_of(key)
    name = record.split("/", 1)[-1] if record.startswith("forum:") else record.partition(":")[2]
    return "" if not name or record.startswith(("image:", "forum:log")) or name == record else name
