"""Claims: what a decision says it rests on, taken apart: each piece of evidence, each sentence of the justification."""

from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Literal

from pydantic import Field

from longtrail.records.action import Decide
from longtrail.records.record import Record
from longtrail.text.atoms import tokenize

LONGEST = 1_000
"""Characters of a claim. People's have up to 300; what is longer is taken in pieces, as looking it up takes longer."""
MOST = 300
"""Claims of a decision that are judged: so that nobody can keep the scoring busy by writing."""
_CLOSING = ('"', "”", ")")
Words = Annotated[str, Field(max_length=LONGEST)]


class Claim(Record):
    """One statement, and the page that it is said to stand on, where one is named apart from it."""

    text: Words
    source: str = ""
    """Of a piece of evidence; empty in prose, which names its pages itself."""
    part: Literal["evidence", "justification"] = "justification"


def claims_of(decision: Decide) -> tuple[Claim, ...]:
    """The evidence list and the sentences of the justification, in order: the first `MOST` of them."""
    return tuple(islice(_every(decision), MOST))


def _every(decision: Decide) -> Iterator[Claim]:
    for given in decision.evidence:
        if given.source or given.quote:
            for text in _pieces(given.quote):
                yield Claim(text=text, source=given.source, part="evidence")
    for sentence in sentences(decision.justification):
        for text in _pieces(sentence):
            yield Claim(text=text)


def _pieces(text: str) -> Iterator[str]:
    """A text in pieces of up to `LONGEST` characters, between words where it has any."""
    while len(text) > LONGEST:
        cut = text.rfind(" ", 1, LONGEST + 1)
        cut = cut if cut > 0 else LONGEST
        yield text[:cut]
        text = text[cut:].lstrip()
    yield text


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
