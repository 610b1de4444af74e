"""Patterns: an alternative prepared for matching, with quick tests that exclude most lines."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import NamedTuple

from longtrail.text.alternatives import Alternative, Atoms
from longtrail.text.atoms import tokenize
from longtrail.text.folding import fold
from longtrail.text.lexicon import DAYS, MULTIPLIERS, NUMBERS, ORDINALS, STATES, TENS, UNITS, singular
from longtrail.text.negation import negators
from longtrail.text.occurrences import RequiredPart
from longtrail.text.token import PUNCTUATION

_STATE_WORDS = {singular(word): code.lower() for code, name in STATES.items() for word in name.split()}
_VARIABLE = frozenset(
    {"to", "and", "email", "percent", "will", "shall", *NUMBERS, *TENS, *MULTIPLIERS, *_STATE_WORDS, *ORDINALS}
)
"""Words whose spellings may share no letters, so they can't be used to find a line."""
_COUNTING = frozenset({*NUMBERS, *TENS, *MULTIPLIERS, *DAYS, "ago", "today", "yesterday"})
_LETTERS = re.compile(r"[a-z]+")
_THOUSANDS = re.compile(r"\d[km]\b")


class LineTest(NamedTuple):
    """A necessary condition on a folded line: every match passes it."""

    pieces: tuple[str, ...]
    """It contains one of these ..."""
    spelled: bool = False
    """... or, with this, a number in words or in thousands ..."""
    thousands: bool = False
    """... or, with this, one in thousands."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """The parts that a passage must all contain."""

    parts: tuple[RequiredPart, ...]
    gates: tuple[LineTest, ...]

    def possible(self, folded: str) -> bool:
        """Whether a folded line may match at all."""
        for pieces, spelled, thousands in self.gates:
            for piece in pieces:
                if piece in folded:
                    break
            else:
                if not ((spelled and _spelled(folded)) or (thousands and _in_thousands(folded))):
                    return False
        return True

    def absent(self, folded: str) -> bool:
        """Whether a whole folded text lacks something that every match contains."""
        for pieces, spelled, thousands in self.gates:
            if spelled:
                continue
            for piece in pieces:
                if piece in folded:
                    break
            else:
                if not (thousands and _in_thousands(folded)):
                    return True
        return False


@lru_cache(maxsize=65_536)
def _spelled(folded: str) -> bool:
    return not _COUNTING.isdisjoint(_LETTERS.findall(folded)) or _in_thousands(folded)


@lru_cache(maxsize=2_048)
def _in_thousands(folded: str) -> bool:
    return _THOUSANDS.search(folded) is not None


def _gates(part: RequiredPart) -> list[LineTest]:
    """The necessary conditions of one part; empty if none is known."""
    if part.kind == "phrase":
        words = [str(token.value) for token in part.tokens if token.kind == "word"]
        values = [token.value for token in part.tokens if token.kind in ("number", "percent")]
        gates = [_numeric(value) for value in values if isinstance(value, Decimal)]
        gates += [_day(token.value) for token in part.tokens if token.kind == "date"]
        gates += [
            LineTest(_forms(word)) for word in words if word.isalnum() and word.isascii() and word not in _VARIABLE
        ]
        gates += [
            LineTest((word, *sorted(code.lower() for code in STATES if word in _singular_name(code))))
            for word in words
            if word in _STATE_WORDS
        ]
        return gates
    if part.kind in ("money", "number", "percent") and isinstance(part.value, Decimal):
        return [_numeric(part.value)]
    if isinstance(part.value, date):
        return [_day(part.value)]
    return [LineTest(tuple("0123456789"), spelled=True)]


def _day(value: object) -> LineTest:
    """A date is written with its day, or as a word such as `yesterday`; a date without a year is (month, day)."""
    day = value.day if isinstance(value, date) else value[1] if isinstance(value, tuple) else ""
    return LineTest((str(day),), spelled=True)


def _numeric(value: Decimal) -> LineTest:
    """How a number may be written: with digits, a word for its tens or itself (`forty`), or a multiplier: 500 is `five
    hundred`, `0.5 thousand` or `0.5k`. Below 1 it may be an amount of cents in any words."""
    digits = _digits(value)
    if value < 1:
        return LineTest(digits, spelled=True)
    least = value if value < 20 else value // 10 * 10
    told = [word for word, number in (NUMBERS | TENS).items() if number == least]
    return LineTest((*digits, *told, *MULTIPLIERS), thousands=True)


def _forms(word: str) -> tuple[str, ...]:
    """The common prefix of a word's forms, such as `party` and `parties`."""
    return (word, f"{word[:-1]}ie") if word.endswith("y") else (word,)


def _singular_name(code: str) -> list[str]:
    return [singular(word) for word in STATES[code].split()]


def _digits(value: Decimal) -> tuple[str, ...]:
    """The end of a number's integer part, up to a possible comma; for cents, also the number of cents."""
    whole = f"{abs(value):f}".partition(".")[0]
    return (whole[-3:],) if value >= 1 else (whole[-3:], str(int(value * 100)), ".")


@lru_cache(maxsize=8_192)
def compile_pattern(alternative: Alternative) -> Pattern:
    """The prepared pattern. Raises ValueError for an empty alternative or an invalid date or duration."""
    atoms = Atoms(words=(alternative,)) if isinstance(alternative, str) else alternative
    phrases = [_phrase(words) for words in _with_denials(atoms.words)]
    parts = [
        *phrases,
        *(RequiredPart("money", _decimal(value), denied=value == 0) for value in atoms.money),
        *(RequiredPart("number", _decimal(value), denied=value == 0) for value in atoms.number),
        *(RequiredPart("percent", _decimal(value)) for value in atoms.percent),
        *(RequiredPart("date", date.fromisoformat(value)) for value in atoms.date),
        *(RequiredPart("duration", _duration(value)) for value in atoms.duration),
        *(RequiredPart("id", _id_pattern(value)) for value in atoms.id),
    ]
    if not parts:
        raise ValueError("an alternative has nothing to look for")
    gates = {gate for part in parts for gate in _gates(part)}
    return Pattern(tuple(parts), tuple(sorted(gates)))


def _with_denials(phrases: Sequence[str]) -> Iterator[str]:
    """The phrases, each denial that stands alone joined to the next one: `nobody`, `reached` is `nobody reached`."""
    lead = ""
    for phrase in phrases:
        joined = f"{lead} {phrase}".strip()
        lead = joined if _is_denial(phrase) else ""
        if not lead:
            yield joined
    if lead:
        yield lead


def _is_denial(phrase: str) -> bool:
    """Whether a phrase is one denial and nothing else."""
    return [(denied.first, denied.last) for denied in negators(phrase)] == [(0, len(tokenize(phrase)) - 1)]


def _phrase(words: str) -> RequiredPart:
    line = " ".join(words.split())
    tokens, denied = tokenize(line), negators(line)
    dropped = {position for n in denied for position in range(n.first, n.last + 1)}
    content = [i for i, token in enumerate(tokens) if i not in dropped and token.kind not in PUNCTUATION]
    if not content or max(dropped, default=0) > content[-1]:  # `never`, `costs nothing`: its own denial is searched for
        content = [i for i, token in enumerate(tokens) if token.kind not in PUNCTUATION]
    return RequiredPart("phrase", tuple(tokens[i] for i in content), denied=len(denied) % 2 == 1)


def _decimal(value: float) -> Decimal:
    return Decimal(str(value)).normalize()


def _duration(text: str) -> tuple[str, float]:
    """`49 days` -> ("days", 49.0)."""
    tokens = tokenize(text)
    if len(tokens) >= 2 and tokens[0].kind == "number" and tokens[1].value in UNITS:
        scale, size = UNITS[str(tokens[1].value)]
        return scale, float(str(tokens[0].value)) * size
    raise ValueError(f"{text!r} is not a duration such as '49 days' or '2.1 years'")


def _id_pattern(text: str) -> re.Pattern[str]:
    """An id without #, leading zeros and separators; long ids may be written in groups."""
    plain = re.sub(r"[^a-z0-9]", "", fold(text)).lstrip("0") or "0"
    grouped = len(plain) >= 9 or not plain.isdigit()
    between = r"[\s-]?" if grouped else ""
    return re.compile(r"(?<![\w$€£.,])(?<!\d-)#?\s?0*" + between.join(plain) + r"(?![\w%]|[.,:/]\d)")
