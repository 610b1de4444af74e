"""Matcher: does a text contain a phrase or a set of atoms, and where? Values compare as values, words on their
boundaries, and denied statements don't count."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from longtrail.text.alternatives import Alternative, Polarity
from longtrail.text.atoms import tokenize
from longtrail.text.folding import fold
from longtrail.text.occurrences import Place, RequiredPart, places_of
from longtrail.text.patterns import Pattern, compile_pattern
from longtrail.text.token import Token

__all__ = ["MatchSpan", "find", "fold", "matches"]

_HYPOTHETICAL = frozenset({"if", "whether", "unless"})


@dataclass(frozen=True, slots=True)
class MatchSpan:
    """The position of a match: text[start:end], offsets in characters."""

    start: int
    end: int
    text: str


def matches(
    alternative: Alternative,
    text: str,
    now: datetime,
    *,
    polarity: Polarity = "affirmed",
    asserted: bool = False,
) -> MatchSpan | None:
    """Where a text first states the alternative, or None.

    A passage is a line. `polarity="negated"`: where it states the opposite (all parts are present, but denied, or vice
    versa). `asserted`: questions, and text after `if` or `whether`, don't count. `now` resolves relative dates (`49
    days ago`) and dates without a year.
    """
    pattern = compile_pattern(alternative)
    whole, lines = _lines(text)
    if pattern.absent(whole):
        return None
    for offset, line, folded in lines:
        if not pattern.possible(folded):
            continue
        span = _in_line(pattern, line, now, polarity, asserted)
        if span is not None:
            start, end = span
            return MatchSpan(offset + start, offset + end, line[start:end])
    return None


def find(alternatives: Iterable[Alternative], text: str, now: datetime, *, asserted: bool = False) -> MatchSpan | None:
    """The first of these alternatives that a text states, line by line."""
    return next((span for a in alternatives if (span := matches(a, text, now, asserted=asserted))), None)


@lru_cache(maxsize=512)
def _lines(text: str) -> tuple[str, tuple[tuple[int, str, str], ...]]:
    """The folded text, and every line with its offset and its folded form."""
    found, offset, whole = [], 0, fold(text)
    for line, folded in zip(text.split("\n"), whole.split("\n"), strict=True):
        if line and not line.isspace():
            found.append((offset, line, folded))
        offset += len(line) + 1
    return whole, tuple(found)


def _in_line(pattern: Pattern, line: str, now: datetime, polarity: Polarity, asserted: bool) -> tuple[int, int] | None:
    tokens = tokenize(line)
    places: list[list[Place]] = []
    for part in pattern.parts:
        found = [
            place for place in places_of(part, line, tokens, now.date()) if not asserted or _asserted(tokens, place)
        ]
        if not found:
            return None
        places.append(found)
    consumed = {
        denial
        for part, found in zip(pattern.parts, places, strict=True)
        if part.denied
        for place in found
        for denial in place.denials
    }
    agreeing = [
        [place for place in found if len(place.denials if part.denied else place.denials - consumed) % 2 == part.denied]
        for part, found in zip(pattern.parts, places, strict=True)
    ]
    affirmed = all(agreeing) and not _reversed(pattern.parts, agreeing, tokens)
    if polarity == "negated":
        return None if all(agreeing) else _extent([found[0] for found in places], tokens)
    return _extent([found[0] for found in agreeing], tokens) if affirmed else None


def _extent(places: Sequence[Place], tokens: Sequence[Token]) -> tuple[int, int]:
    return min(tokens[place.first].start for place in places), max(tokens[place.last].end for place in places)


def _asserted(tokens: Sequence[Token], place: Place) -> bool:
    """Whether the sentence around a position states something: it is not a question and not hypothetical."""
    for token in tokens[place.last + 1 :]:
        if token.kind == "stop":
            if "?" in str(token.value):
                return False
            break
    for token in reversed(tokens[: place.first]):
        if token.kind in ("stop", "comma"):
            break
        if token.kind == "word" and token.value in _HYPOTHETICAL:
            return False
    return True


def _reversed(parts: Sequence[RequiredPart], places: Sequence[Sequence[Place]], tokens: Sequence[Token]) -> bool:
    """Whether two phrases given as A, B occur as `B to A`."""
    phrases = [found for part, found in zip(parts, places, strict=True) if part.kind == "phrase"]
    for index, before in enumerate(phrases):
        for after in phrases[index + 1 :]:
            if _leads(after, before, tokens) and not _leads(before, after, tokens):
                return True
    return False


def _leads(sources: Sequence[Place], targets: Sequence[Place], tokens: Sequence[Token]) -> bool:
    return any(
        target.first - source.last == 2 and tokens[source.last + 1].value == "to"
        for source in sources
        for target in targets
    )
