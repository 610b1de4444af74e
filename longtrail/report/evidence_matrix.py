"""Evidence matrix: facts x steps of a decision case. Was the fact's page open, was it delivered, was it given as a
reason?"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from longtrail.checks.facts import Distractor, Fact
from longtrail.clock import NOW
from longtrail.records.result import FactResult
from longtrail.report.page_titles import page_in_words, record_of
from longtrail.scoring.decision_view import DecisionView
from longtrail.scoring.shown_pages import ShownPage
from longtrail.text.matcher import find

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


def matrix(view: DecisionView) -> tuple[MatrixRow, ...]:
    """The rows: required facts, supporting ones, distractors."""
    results = {fact.id: fact for fact in (*view.facts, *view.supporting)}
    facts = [*view.task.required, *view.task.supporting]
    cited = view.citations.distractors(view.task.distractors) if view.citations else ()
    asserted = {distractor.id: quote for distractor, quote in cited}
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
    here = bool(page.keys & {key.casefold() for key in fact.pages})
    if here and not fact.pictured and any(map(page.shows, fact.shown)):
        return "shown"
    if page.step == result.said_at:
        return "said"
    return "open" if here else ""


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

    seen = any(
        (not wanted or page.keys & wanted) and find(distractor.said, page.text, NOW) for page in view.noted_pages
    )
    noted: tuple[Cell, ...] = ("shown" if seen else "",) if view.noted else ()
    return MatrixRow(
        id=distractor.id,
        says=distractor.says,
        where=_where(distractor.pages),
        kind="distractor",
        cells=(*noted, *map(cell, view.pages)),
        ended=f'given as a reason: "{asserted}"' if asserted else "not given as a reason",
        good=not asserted,
    )
