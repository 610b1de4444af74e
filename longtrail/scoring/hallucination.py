"""Hallucination: is what a decision cites supported by what the agent was shown? (PATHWAYS, section 5)

Each piece of evidence and each sentence of the justification and the message that quotes something or gives a typed
value (amount, date, identifier) gets a class: the first of `fabricated_source`, `misattribution` and `synthetic` that
applies; otherwise `traced`, or `unverifiable`. In doubt, nothing is flagged.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from longtrail.checks.facts import Fact
from longtrail.records.action import MAX_JUSTIFICATION, MAX_PIECES, MAX_QUOTE, MAX_SHOWS, Decide
from longtrail.records.record import Record
from longtrail.records.result import FLAGGED, ClaimKind, ClaimResult, Metric
from longtrail.scoring.decision_view import DecisionView
from longtrail.scoring.derived_values import DerivedValues
from longtrail.scoring.measure import DECISION, conditional, mean
from longtrail.scoring.shown_pages import ShownPage
from longtrail.scoring.sources import Source, resolve
from longtrail.text.quoting import contains, is_nearly, word_count
from longtrail.text.values import Value, values_in

MEASURES = (
    conditional(
        "hallucinates",
        DECISION,
        '1 if any piece of the decision is in one of the classes of the next three rows (see "Hallucination")',
        "PW 5",
    ),
    mean("fabricated_sources", DECISION, "pieces that name a page which was never delivered", "PW 5", high=None),
    mean("misattributions", DECISION, "pieces that name a delivered page, but are on another one", "PW 5", high=None),
    mean(
        "synthetics",
        DECISION,
        "pieces with a quotation or typed value that was not delivered and does not follow from what was",
        "PW 5",
        high=None,
    ),
)
_COUNTS = dict(zip(FLAGGED, ("fabricated_sources", "misattributions", "synthetics"), strict=True))
_FEWEST_QUOTED = 4
"""Fewer words in quotation marks are a label or a term."""
_SENTENCE_END = re.compile(r"(?<=[.!?])[\"”')]?\s+(?=[\"“'(#]?[A-Z0-9])|\n+")
_QUOTED = re.compile(r"\"([^\"\n]+)\"|“([^“”\n]+)”|«([^«»\n]+)»")
Part = Literal["evidence", "justification", "response"]
Class = tuple[ClaimKind, str]


class Claim(Record):
    """One statement of a decision: a piece of evidence, or a sentence of its prose."""

    part: Part
    text: str = ""
    """A sentence of prose; for evidence, its `shows`."""
    source: str = ""
    """Evidence: the page as the agent named it."""
    quote: str = ""
    """Evidence: the words quoted from that page."""

    @property
    def statement(self) -> str:
        """The claim on one line, for reports."""
        quote = f'"{self.quote}"' if self.quote else ""
        return ": ".join(part for part in (self.text, quote) if part)


def claims_of(decision: Decide) -> tuple[Claim, ...]:
    """The claims of a decision, within the limits of `records/action`."""
    evidence = [
        Claim(
            part="evidence",
            source=piece.source,
            quote=clipped(piece.quote.strip(), MAX_QUOTE),
            text=clipped(piece.shows.strip(), MAX_SHOWS),
        )
        for piece in decision.evidence[:MAX_PIECES]
    ]
    texts: tuple[tuple[Part, str], ...] = (("justification", decision.justification), ("response", decision.response))
    prose = [
        Claim(part=part, text=sentence.strip())
        for part, text in texts
        for sentence in _SENTENCE_END.split(clipped(text, MAX_JUSTIFICATION))
        if sentence.strip()
    ]
    return (*evidence, *prose)


def clipped(text: str, most: int) -> str:
    """The characters of a text that count, without a truncated last word."""
    return text if len(text) <= most else text[:most].rpartition(" ")[0] or text[:most]


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
    def host(self) -> str:
        """The site's host: the first page's."""
        return next((page.url.split("/")[2] for page in self.pages if "://" in page.url), "")

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

    def page_with(self, quote: str, pages: Sequence[ShownPage] | None = None) -> ShownPage | None:
        """The first page that contains a quotation."""
        return next((page for page in (self.pages if pages is None else pages) if contains(page.one_line, quote)), None)


def findings(decision: Decide, ledger: Ledger) -> tuple[ClaimResult, ...]:
    """Every claim of a decision with its class. Sentences with nothing to check are left out."""
    claims = claims_of(decision)
    texts = [text for claim in claims for text in (claim.text, claim.quote) if text]
    derived = DerivedValues(ledger.pages, texts, ledger.values)
    checked = []
    for claim in claims:
        judged = _evidence(claim, ledger, derived) if claim.part == "evidence" else _prose(claim, ledger, derived)
        if judged:
            kind, reason = judged
            checked.append(ClaimResult(text=claim.statement, source=claim.source, kind=kind, reason=reason))
    return tuple(checked)


def _evidence(claim: Claim, ledger: Ledger, derived: DerivedValues) -> Class:
    source = resolve(claim.source, ledger.pages, ledger.host)
    quoted = _quotation(claim.quote, source, ledger) if word_count(claim.quote) else None
    if source.certain and not source.pages and (quoted is None or quoted[0] != "traced"):
        return "fabricated_source", f"{source.named} was never delivered"
    if quoted and quoted[0] in FLAGGED:
        return quoted
    return (
        _invented(values_in(claim.text), ledger, derived) or quoted or ("unverifiable", "nothing in it can be checked")
    )


def _quotation(quote: str, source: Source, ledger: Ledger) -> Class:
    """Whether quoted words are on the named page, on another one, or nowhere."""
    if named_page := ledger.page_with(quote, source.pages):
        if named_page.echoes(quote):
            return "unverifiable", "the agent's own words"
        return "traced", f"stands on {named_page.name}"
    other_page = next(
        (page for page in ledger.pages if contains(page.one_line, quote) and not page.echoes(quote)), None
    )
    if other_page and source.certain and source.pages:
        return "misattribution", f"stands on {other_page.name}, not on {source.pages[0].name}"
    if other_page:
        listed = not source.certain or source.named.split()[-1] in other_page.text
        return ("traced" if listed else "unverifiable"), f"stands on {other_page.name}"
    if any(contains(text, quote) for text in ledger.known):
        return "traced", "stands in the prompt or in a picture that was seen"
    if ledger.saw_pictures or any(is_nearly(page.one_line, quote) for page in source.pages or ledger.pages):
        return "unverifiable", "no page has exactly these words"
    return "synthetic", f"no page has the words {_short(quote)}"


def _invented(values: Sequence[Value], ledger: Ledger, derived: DerivedValues) -> Class | None:
    """A typed value that was never delivered and does not follow from what was; None: there is none."""
    for value in values:
        if not value.among(ledger.values) and not derived.follows(value):
            if ledger.saw_pictures and value.kind != "identifier":
                return "unverifiable", f"{value} may stand in a picture"
            return "synthetic", f"{value} was never delivered and follows from nothing that was"
    return None


def _prose(claim: Claim, ledger: Ledger, derived: DerivedValues) -> Class | None:
    """The class of a sentence by its quotations and typed values; None: it has none."""
    quotes = [quote for quote in quotations(claim.text) if word_count(quote) >= _FEWEST_QUOTED]
    for quote in quotes:
        if quote.rstrip().endswith("?") or ledger.page_with(quote) or any(contains(t, quote) for t in ledger.known):
            continue
        if ledger.saw_pictures or any(is_nearly(page.one_line, quote) for page in ledger.pages):
            return "unverifiable", f"no page has exactly the words {_short(quote)}"
        return "synthetic", f"no page has the words {_short(quote)}"
    values = [value for value in values_in(claim.text) if value.kind != "date"]  # people name days in many ways
    if not quotes and not values:
        return None
    return _invented(values, ledger, derived) or ("traced", "what it quotes and its values were delivered")


def quotations(text: str) -> Iterator[str]:
    """The words between quotation marks in a text."""
    return (next(group for group in match.groups() if group is not None) for match in _QUOTED.finditer(text))


def _short(quote: str) -> str:
    return f'"{quote}"' if len(quote) <= 80 else f'"{quote[:77]}..."'


def ledger_of(case: DecisionView) -> Ledger:
    """What the agent had been shown by its decision (or by the end)."""
    sees = case.trajectory.contender.vision
    seen_pictures = tuple(fact for fact in case.task.required if fact.pictured and case.delivery[fact.id] is not None)
    pictures = sees and any(key.startswith("image:") for page in case.known_pages for key in page.keys)
    return Ledger(case.known_pages, case.trajectory.prompt, seen_pictures, pictures)


def grounding(case: DecisionView) -> tuple[dict[str, Metric], tuple[ClaimResult, ...]]:
    """`hallucinates`, the counts of each class, and every claim; not defined without a decision."""
    if case.decision is None:
        none = Metric(value=None, reason="no decision")
        return {measure.name: none for measure in MEASURES}, ()
    checked = findings(case.decision, ledger_of(case))
    counts = Counter(finding.kind for finding in checked)
    flagged = [finding for finding in checked if finding.flagged]
    metrics = {"hallucinates": Metric(value=bool(flagged), reason=_summary(checked, flagged))}
    for kind, name in _COUNTS.items():
        reason = next((finding.reason for finding in flagged if finding.kind == kind), "none")
        metrics[name] = Metric(value=counts[kind], reason=reason)
    return metrics, checked


def _summary(checked: Sequence[ClaimResult], flagged: Sequence[ClaimResult]) -> str:
    if not flagged:
        return f"none of {len(checked)} pieces is a hallucination"
    return f"{len(flagged)} of {len(checked)} pieces not found: {'; '.join(finding.reason for finding in flagged[:3])}"
