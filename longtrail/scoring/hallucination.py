"""Hallucination: is what a decision cites supported by what the agent was shown? (PATHWAYS, section 5)

Each piece of evidence and each sentence of the justification and the message that quotes something or gives a typed
value (amount, date, identifier) gets a class: the first of `fabricated_source`, `misattribution` and `synthetic` that
applies; otherwise `traced`, or `unverifiable`. In doubt, nothing is flagged.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property
from itertools import combinations

from longtrail.checks.facts import Fact
from longtrail.clock import NOW
from longtrail.records.action import MAX_JUSTIFICATION, Decide, Evidence
from longtrail.records.result import FLAGGED, ClaimKind, ClaimResult, Metric
from longtrail.scoring.citations import clipped, counted_evidence
from longtrail.scoring.decision_view import DecisionView
from longtrail.scoring.shown_pages import ShownPage, Source, resolve
from longtrail.text.folding import contains, word_count
from longtrail.text.matcher import resolved
from longtrail.text.tokens import Value, values_in

_FEWEST_QUOTED = 4
"""Fewer words in quotation marks are a label or a term."""
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"”')]?\s+(?=[\"“'(#]?[A-Z0-9])|\n+")
_QUOTED = re.compile(r"\"([^\"\n]+)\"|“([^“”\n]+)”|«([^«»\n]+)»")
_MOST_AMOUNTS = 14
"""Maximum number of amounts that are combined: with more, nearly every value would be a sum."""
_CENT = Decimal("0.011")
_MOST = Decimal(10) ** 12
_PERIOD = re.compile(r"\b(\d{1,3}) (day|week|month)s?\b")
_DAYS = {"day": 1, "week": 7, "month": 30}
_NEAR = timedelta(days=1)
Class = tuple[ClaimKind, str]


@dataclass(frozen=True)
class Ledger:
    """Everything that was delivered to the agent by its decision: the pages, and what it knew otherwise."""

    pages: tuple[ShownPage, ...]
    prompt: str = ""
    pictures: tuple[Fact, ...] = ()
    """Facts in pictures that the agent had looked at."""
    saw_pictures: bool = False
    """Whether it was shown pictures: then one of them may show what no text says."""

    @cached_property
    def known(self) -> tuple[str, ...]:
        """What the agent knew besides the pages: the prompt, its own entries, what pictures show."""
        typed = self.pages[-1].typed if self.pages else ()
        shown = [text for fact in self.pictures for text in (fact.says, fact.lettering)]
        return (self.prompt, "\n".join(typed), *shown)

    @cached_property
    def values(self) -> frozenset[Value]:
        """Every typed value of the pages, their addresses and what else the agent knew."""
        texts = {*(page.text for page in self.pages), *(page.url for page in self.pages), *self.known}
        numbers = {number for page in self.pages for number in re.findall(r"\d{2,15}", f"{page.text} {page.url}")}
        ids = (Value("identifier", number.lstrip("0") or "0", number) for number in numbers)
        return frozenset([*ids, *(value for text in texts for value in values_in(text, bare=True))])


@dataclass(frozen=True)
class DerivedValues:
    """What follows from the delivered pages, and from the delivered values that a decision names."""

    pages: Sequence[ShownPage]
    texts: Sequence[str]
    """The decision's texts."""
    delivered: frozenset[Value]

    def follows(self, value: Value) -> bool:
        """Whether a value follows from delivered ones; identifiers never do."""
        if isinstance(value.value, Decimal):
            amount = value.value
            is_whole = amount == amount.to_integral_value() and amount < _MOST
            near = Decimal("0.5") if is_whole else _CENT  # people round to whole numbers
            return any(abs(derived - amount) <= near for derived in self._amounts)
        days = _days([value]) if value.kind == "date" else set()
        if any(abs(day - known) <= _NEAR for day in days for known in self._days):
            return True
        return any(re.search(rf"\b{day.day}(?:st|nd|rd|th)\b", page.text) for day in days for page in self.pages)

    @cached_property
    def _named(self) -> list[Decimal]:
        """The delivered amounts that the decision names."""
        values = [value for text in self.texts for value in values_in(text) if value.among(self.delivered)]
        return _amounts(values)[:_MOST_AMOUNTS]

    @cached_property
    def _amounts(self) -> frozenset[Decimal]:
        derived: set[Decimal] = set(_amounts(self.delivered))
        groups = [self._named, *(_amounts(values_in(page.text)) for page in self.pages)]
        for group in groups:
            if len(group) <= _MOST_AMOUNTS:
                derived |= {sign * b + a for a, b in combinations(group, 2) for sign in (1, -1)}
                derived |= {a + b + c for a, b, c in combinations(group, 3)}
            derived.add(sum(group, Decimal(0)))
        for amount in self._named:
            derived |= {amount * times for times in range(2, 13)} | {amount / times for times in range(2, 13)}
            derived |= {amount * percent / 100 for percent in range(5, 100, 5)}
        return frozenset(abs(amount) for amount in derived)

    @cached_property
    def _days(self) -> set[date]:
        known = {NOW.date()} | _days(self.delivered)
        texts = (*self.texts, *(page.text for page in self.pages))
        spans = {int(number) * _DAYS[unit] for text in texts for number, unit in _PERIOD.findall(text)}
        return {day + timedelta(days=sign * span) for day in known for span in (0, *spans) for sign in (1, -1)}


def _amounts(values: Iterable[Value]) -> list[Decimal]:
    amounts = (value.value for value in values if value.kind == "amount" and isinstance(value.value, Decimal))
    return list(dict.fromkeys(amount for amount in amounts if amount < _MOST))


def _days(values: Iterable[Value]) -> set[date]:
    days = (day for value in values if value.kind == "date" for day in resolved(value.value, NOW.date()))
    return {day for day in days if 1990 < day.year < 2100}


def findings(decision: Decide, ledger: Ledger) -> tuple[ClaimResult, ...]:
    """Every piece of evidence with its class, then every sentence of the prose that has something to check. A day in
    the message to the user may be a plan, such as a date to answer by: it is not checked."""
    pieces = counted_evidence(decision)
    justification, response = _sentences(decision.justification), _sentences(decision.response)
    texts = [text for piece in pieces for text in (piece.shows, piece.quote) if text]
    derived = DerivedValues(ledger.pages, [*texts, *justification, *response], ledger.values)
    checked = []
    for piece in pieces:
        kind, reason = _evidence(piece, ledger, derived)
        text = ": ".join(filter(None, (piece.shows, f'"{piece.quote}"' if piece.quote else "")))
        checked.append(ClaimResult(text=text, source=piece.source, kind=kind, reason=reason))
    for sentence in [*justification, *response]:
        values = [value for value in values_in(sentence) if value.kind != "date" or sentence in justification]
        if verdict := _prose(sentence, values, ledger, derived):
            checked.append(ClaimResult(text=sentence, kind=verdict[0], reason=verdict[1]))
    return tuple(checked)


def _sentences(text: str) -> list[str]:
    sentences = _SENTENCE_END.split(clipped(text, MAX_JUSTIFICATION))
    return [sentence.strip() for sentence in sentences if sentence.strip()]


def _evidence(piece: Evidence, ledger: Ledger, derived: DerivedValues) -> Class:
    source = resolve(piece.source, ledger.pages)
    quoted = _quotation(piece.quote, source, ledger) if word_count(piece.quote) else None
    if source.certain and not source.pages and (quoted is None or quoted[0] != "traced"):
        return "fabricated_source", f"{source.named} was never delivered"
    if quoted and quoted[0] in FLAGGED:
        return quoted
    invented = _invented(values_in(piece.shows), ledger, derived)
    return invented or quoted or ("unverifiable", "nothing in it can be checked")


def _quotation(quote: str, source: Source, ledger: Ledger) -> Class:
    """Whether quoted words are on the named page, on another one, or nowhere."""
    if named_page := next((page for page in source.pages if contains(page.one_line, quote)), None):
        if named_page.echoes(quote):
            return "unverifiable", "the agent's own words"
        return "traced", f"stands on {named_page.name}"
    others = (page for page in ledger.pages if contains(page.one_line, quote) and not page.echoes(quote))
    if other_page := next(others, None):
        stands = f"stands on {other_page.name}"
        if source.certain and source.pages:
            return "misattribution", f"{stands}, not on {source.pages[0].name}"
        listed = not source.certain or source.named.split()[-1] in other_page.text
        return ("traced" if listed else "unverifiable"), stands
    if any(contains(text, quote) for text in ledger.known):
        return "traced", "stands in the prompt or in a picture that was seen"
    short = quote if len(quote) <= 80 else f"{quote[:77]}..."
    if ledger.saw_pictures:
        return "unverifiable", f'no page has the words "{short}", but a picture may'
    return "synthetic", f'no page has the words "{short}"'


def _invented(values: Sequence[Value], ledger: Ledger, derived: DerivedValues) -> Class | None:
    """A typed value that was never delivered and does not follow from what was; None: there is none."""
    for value in values:
        if not value.among(ledger.values) and not derived.follows(value):
            if ledger.saw_pictures and value.kind != "identifier":
                return "unverifiable", f"{value} may stand in a picture"
            return "synthetic", f"{value} was never delivered and follows from nothing that was"
    return None


def _prose(sentence: str, values: Sequence[Value], ledger: Ledger, derived: DerivedValues) -> Class | None:
    """The class of a sentence by its quotations and typed values; None: it has none."""
    quotes = [quote for groups in _QUOTED.findall(sentence) if word_count(quote := "".join(groups)) >= _FEWEST_QUOTED]
    for quote in quotes:
        if not quote.rstrip().endswith("?") and (verdict := _quotation(quote, Source(), ledger))[0] != "traced":
            return verdict
    if not quotes and not values:
        return None
    return _invented(values, ledger, derived) or ("traced", "what it quotes and its values were delivered")


def ledger_of(view: DecisionView) -> Ledger:
    """What the agent had been shown by its decision (or by the end)."""
    keys = (key for page in view.known_pages for key in page.keys)
    saw_pictures = view.trajectory.contender.vision and any(key.startswith("image:") for key in keys)
    return Ledger(view.known_pages, view.trajectory.prompt, view.pictured, saw_pictures)


def grounding(view: DecisionView) -> tuple[dict[str, Metric], tuple[ClaimResult, ...]]:
    """`hallucinates`, the number of pieces in each class, and every claim; not defined without a decision."""
    names: dict[str, ClaimKind] = {
        "fabricated_sources": "fabricated_source",
        "misattributions": "misattribution",
        "synthetics": "synthetic",
    }
    if view.decision is None:
        return dict.fromkeys(("hallucinates", *names), Metric(value=None, reason="no decision")), ()
    checked = findings(view.decision, ledger_of(view))
    flagged = [finding for finding in checked if finding.flagged]
    reasons = "; ".join(finding.reason for finding in flagged[:3])
    found = f"{len(flagged)} of {len(checked)} pieces not found: {reasons}"
    none = f"none of {len(checked)} pieces is a hallucination"
    metrics = {"hallucinates": Metric(value=bool(flagged), reason=found if flagged else none)}
    for name, kind in names.items():
        of_kind = [finding.reason for finding in flagged if finding.kind == kind]
        metrics[name] = Metric(value=len(of_kind), reason=of_kind[0] if of_kind else "none")
    return metrics, checked
