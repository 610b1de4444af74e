"""Claims: the parts of a decision that can be checked: each piece of evidence, and each sentence that quotes or gives a
value.

A claim is self-contained (page, quotation, text), so that a model can judge it too.
"""

import re
from typing import Literal

from longtrail.records.action import MAX_JUSTIFICATION, MAX_PIECES, MAX_QUOTE, MAX_SHOWS, Decide
from longtrail.records.record import Record
from longtrail.scoring.grounding.quotations import clipped, quoted_in

_END = re.compile(
    r"(?<![A-Z])(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bDr)(?<!\bSt)(?<!\bNo)[.!?][\"”')]*\s+(?=[\"“'(#]?[A-Z0-9])|\n+"
)


class Claim(Record):
    """One statement of a decision."""

    part: Literal["evidence", "justification", "response"]
    text: str = ""
    """A sentence of prose; for evidence, its `shows`."""
    source: str = ""
    """Evidence: the page as the agent named it."""
    quote: str = ""
    """Evidence: the words quoted from that page."""

    @property
    def told(self) -> str:
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
    prose = [
        Claim(part=part, text=sentence)
        for part, text in (("justification", decision.justification), ("response", decision.response))
        for sentence in sentences(clipped(text, MAX_JUSTIFICATION))
    ]
    return (*evidence, *prose)


def sentences(text: str) -> list[str]:
    """The sentences of a text; quotations are not split."""
    masked = text
    for start, end, _ in quoted_in(text):
        masked = f"{masked[:start]}{'x' * (end - start)}{masked[end:]}"
    found, start = [], 0
    for match in _END.finditer(masked):
        found.append(text[start : match.end()].strip())
        start = match.end()
    return [sentence for sentence in (*found, text[start:].strip()) if sentence]
