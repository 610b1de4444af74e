"""Claims: what a decision says it rests on, taken apart: each piece of evidence, each sentence of the justification."""

from collections.abc import Iterator
from typing import Literal

from trailmark.action import Decide
from trailmark.checks.atoms import tokenize
from trailmark.record import Record

_CLOSING = ('"', "”", ")")


class Claim(Record):
    """One statement, and the page that it is said to stand on, where one is named apart from it."""

    text: str
    source: str = ""
    """Of a piece of evidence; empty in prose, which names its pages itself."""
    part: Literal["evidence", "justification"] = "justification"


def claims_of(decision: Decide) -> tuple[Claim, ...]:
    """The evidence list and the sentences of the justification, in order."""
    evidence = [Claim(text=e.quote, source=e.source, part="evidence") for e in decision.evidence if e.source or e.quote]
    return (*evidence, *(Claim(text=text) for text in sentences(decision.justification)))


def sentences(text: str) -> Iterator[str]:
    """Sentences and parts between semicolons; quotations and brackets stay whole."""
    for line in text.split("\n"):
        cuts = [0]
        for token in tokenize(line):
            closing = token.end + (line[token.end : token.end + 1] in _CLOSING)
            if token.kind == "stop" and not _inside(line, closing):
                cuts.append(closing)
        cuts += [at + 1 for at, char in enumerate(line) if char == ";" and not _inside(line, at)]
        for start, end in zip(sorted(cuts), [*sorted(cuts)[1:], len(line)], strict=True):
            piece = line[start:end].strip(" ;-*•\t")
            if piece.strip(" .!?"):
                yield piece


def _inside(line: str, at: int) -> bool:
    """Whether a place lies within quotation marks or brackets."""
    before = line[:at]
    straight = before.count('"') % 2 == 1 and '"' in line[at:]
    curly = before.count("“") > before.count("”") and "”" in line[at:]
    bracket = before.count("(") > before.count(")") and ")" in line[at:]
    return straight or curly or bracket
