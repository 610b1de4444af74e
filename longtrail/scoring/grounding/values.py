"""Values: the checkable atoms of a text (amounts, counts, percentages, dates, durations, ids, names, quotes), typed."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Literal

from longtrail.scoring.grounding.calendar_dates import last_months, resolve, told_times
from longtrail.scoring.grounding.words import EMPTY, listed, stem
from longtrail.text.atoms import tokenize
from longtrail.text.folding import fold
from longtrail.text.lexicon import MONTHS, UNITS
from longtrail.text.token import PUNCTUATION, Token

Kind = Literal["money", "number", "percent", "date", "month", "year", "time", "duration", "id", "section", "rank"]
_NUMBERED, _IDENTIFIED, _SECTIONS = listed("numbered"), listed("identified"), listed("sections")
_HEDGES, _ABOVE, _BELOW = listed("hedges"), listed("above"), listed("below")
_POINTING = frozenset({"these", "those", "all", "its", "her", "his", "their", "other", "both", "our", "first", "last"})
_WORKING = frozenset({"working", "business", "work"})
_WHOLE = frozenset({"calendar", "full", "whole", "consecutive", "more", "further", "straight"})
_GUIDES = frozenset({"handbook", "guide", "guideline", "policy"})
_UP_TO = frozenset({"before", "until", "till", "to", "since", "than", "of", "from", "and", "by"})
_YEAR_AHEAD = frozenset({"in", "since", "of", "from", "until", "year", "late", "early", "mid"})
_TEXTUAL = re.compile(
    r"https?://[^\s<>\"')\]]+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b\d{1,3}(?:\.\d{1,3}){3}\b|\(\d{3}\)\s?\d{3}-\d{4}"
    r"|\b[A-Z]{2,}(?:-[A-Z0-9]+)+\b|\b(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])[A-Z0-9]{8,}\b|\b[\w-]+\.(?:jpe?g|png|gif|webp|pdf|csv|mp4)\b|\b[a-z0-9-]+\.(?:example|com|org|net|test)\b"
)
_OWNED = re.compile(
    r"\b[Oo]ne['’]s\b|\b[Nn]o one\b|\b(?:[Ee]very|[Aa]ny)one\b"
    r"|\bwhat one (?=[a-z])|\b[Oo]ne (?=(?:can|could|should|would|must|may|might|cannot|has to|needs to)\b)"
)
"""`one's own`: no number."""


@dataclass(frozen=True, slots=True)
class Atom:
    """One checkable value of a claim."""

    kind: Kind
    value: object
    """money, number, percent: Decimal; date: date; month: (year, month); year: int; duration: days; else text."""
    start: int
    end: int
    nouns: tuple[str, ...] = ()
    """number: stems of what is counted or numbered, the nearest first."""
    about: str = ""
    """`~` a hedge stands before it, `>` or `<` a bound, `the` an article or the like; of durations: `ago`, `old`,
    `working` days; of numbers: `per`, if so many of a hundred are meant."""
    digits: int = 0
    """Decimals given."""
    from_now: bool = False
    """durations: `ago`, `old`: counted back from today."""

    def __str__(self) -> str:
        if self.kind == "month" and isinstance(self.value, tuple):
            return f"month {self.value[0]}-{self.value[1]:02d}"
        if self.kind == "duration":
            return f"duration of {float(str(self.value)):g} days"
        value = f"{self.value:f}" if isinstance(self.value, Decimal) else self.value
        return f"{self.kind} {value}"


def atoms_of(text: str, now: datetime) -> tuple[Atom, ...]:
    """The typed values of a line of prose, in order. Dates without a year are the latest that is not in the future."""
    return _atoms(text, now.date())


@lru_cache(maxsize=16_384)
def _atoms(text: str, today: date) -> tuple[Atom, ...]:
    textual = [Atom("id", fold(m[0]).rstrip("/.,"), m.start(), m.end()) for m in _TEXTUAL.finditer(text)]
    months = (Atom("month", *month) for month in last_months(text, today))
    found = [*textual, *months, *(Atom("time", *time) for time in told_times(text))]
    taken = [(atom.start, atom.end) for atom in found]
    tokens = tokenize(text)
    position = 0
    owned = [match.span() for match in _OWNED.finditer(text)]
    taken += owned
    while position < len(tokens):
        token = tokens[position]
        width = 1
        if not any(start < token.end and token.start < end for start, end in taken):
            atom, width = _atom(tokens, position, today)
            found += [atom] if atom else []
        position += width
    return tuple(sorted((_to_the_cent(atom, text) for atom in found), key=lambda atom: atom.start))


def _to_the_cent(atom: Atom, text: str) -> Atom:
    """`$89.00` is given to the cent, though its value has no decimals."""
    cents = re.search(r"\.(\d\d)\b", text[atom.start : atom.end]) if atom.kind == "money" else None
    return replace(atom, digits=2) if cents else atom


def _atom(tokens: Sequence[Token], at: int, today: date) -> tuple[Atom | None, int]:
    """The atom that starts at a token, and how many tokens it takes."""
    token = tokens[at]
    if token.kind == "money" and isinstance(token.value, tuple):
        return _make("money", abs(token.value[1]), tokens, at), 1
    if token.kind == "percent":
        return _make("percent", token.value, tokens, at), 1
    if token.kind == "date":
        day = resolve(token.value, today)
        return (Atom("date", day, token.start, token.end) if day else None), 1
    if token.kind == "time":
        late = _word(tokens, at + 1) == "in" and _word(tokens, at + 2) in ("afternoon", "evening")
        shift = 720 if late and isinstance(token.value, int) and token.value < 720 else 0
        return Atom("time", int(str(token.value)) + shift, token.start, token.end), 1
    if token.kind == "ref":
        return Atom("id", str(token.value), token.start, token.end), 1
    if token.kind == "word" and token.value in MONTHS and (year := _year(tokens, at + 1)):
        return Atom("month", (year, MONTHS[str(token.value)]), token.start, tokens[at + 1].end), 2
    if token.value == "today" and _word(tokens, at - 1) in _UP_TO:
        return None, 1  # "46 days before today"
    if token.kind == "word" and token.value in ("yesterday", "today"):
        return Atom("date", today - timedelta(days=token.value == "yesterday"), token.start, token.end), 1
    if token.kind == "number" and isinstance(token.value, Decimal):
        return _number(tokens, at)
    return None, 1


def _number(tokens: Sequence[Token], at: int) -> tuple[Atom | None, int]:
    token, before = tokens[at], _word(tokens, at - 1)
    if days := durations(tokens, at):
        width = _length(tokens, at)
        after = _word(tokens, at + width)
        atom = _make("duration", days, tokens, at)
        back = "ago" if after == "ago" else "old" if after in ("old", "tenure") else ""
        about = atom.about if back and atom.about in ("~", ">", "<") else back or atom.about
        end, nouns = tokens[at + width - 1].end, _nouns(tokens, at + width)
        return Atom("duration", days, token.start, end, nouns, about, from_now=bool(back)), width
    value = token.value
    assert isinstance(value, Decimal)
    whole = value == value.to_integral_value()
    if _is_section(tokens, at, value):
        return Atom("section", f"{value:f}", token.start, token.end), 1
    if token.exact and _word(tokens, at + 1) != "time":  # "1.15 times" is no amount
        return _make("money", value, tokens, at), 1
    grouped = token.end - token.start > len(f"{value:f}")  # "118,200" counts something
    if whole and ((before in _IDENTIFIED and value > 31) or (value >= 100_000 and not grouped)):
        return Atom("id", f"{value:f}", token.start, token.end, (stem(before),) if before else ()), 1
    if whole and 1990 <= value <= 2035 and (before in _YEAR_AHEAD or not _nouns(tokens, at + 1)):
        return Atom("year", int(value), token.start, token.end), 1
    if _word(tokens, at + 1) in UNITS:
        return None, 2  # "one a month" is a rate
    if _word(tokens, at + 1) in _WORKING and _word(tokens, at + 2) in UNITS:
        return Atom("duration", _days(tokens, at, at + 2), token.start, tokens[at + 2].end, (), "working"), 3
    if _word(tokens, at + 1) in _WHOLE and _word(tokens, at + 2) in UNITS:
        return Atom("duration", _days(tokens, at, at + 2), token.start, tokens[at + 2].end, (), _about(tokens, at)), 3
    return _make("number", value, tokens, at), 1


def _is_section(tokens: Sequence[Token], at: int, value: Decimal) -> bool:
    """`section 5`, `9.3 of the Handbook`, `... and 7.2 applies`."""
    if _word(tokens, at - 1) in _SECTIONS:
        return True
    if at > 2 and _word(tokens, at - 3) in _SECTIONS and _word(tokens, at - 1) in ("to", "and", "or", "through"):
        return tokens[at - 2].kind == "number" and value < 30  # "sections 9 to 11"
    named = any(_word(tokens, i) in _GUIDES for i in range(len(tokens)))
    a_rate = _word(tokens, at + 1) in UNITS or _word(tokens, at + 1) == "per"
    return named and value < 30 and value != value.to_integral_value() and not a_rate


def durations(tokens: Sequence[Token], at: int) -> float:
    """The days of `2 days`, `48 hours`, `1 hour 52 minutes` at a position; 0.0 if it is none."""
    if not _is_duration(tokens, at):
        return 0.0
    days, further = _days(tokens, at), _continued(tokens, at)
    if further:
        return days + durations(tokens, at + further)
    return days + float(str(tokens[at + 2].value)) / 1440 if _minutes_follow(tokens, at) else days


def _minutes_follow(tokens: Sequence[Token], at: int) -> bool:
    """`1 hour 21`, and nothing that the 21 could count."""
    if _word(tokens, at + 1) != "hour" or at + 2 >= len(tokens) or tokens[at + 2].kind != "number":
        return False
    return Decimal(str(tokens[at + 2].value)) < 60 and not _word(tokens, at + 3)


def _length(tokens: Sequence[Token], at: int) -> int:
    """How many tokens a length of time takes."""
    further = _continued(tokens, at)
    return further + _length(tokens, at + further) if further else 2


def _continued(tokens: Sequence[Token], at: int) -> int:
    """The tokens up to a smaller unit that belongs to a length of time: `1 hour 52 minutes`, `8 days and 3 hours`.

    It must be less than one of the larger unit, else there are two lengths: `a week, and 10 days before`.
    """
    further = 2
    while further < 4 and at + further < len(tokens) and tokens[at + further].value in ("and", ","):
        further += 1
    if not _is_duration(tokens, at + further):
        return 0
    return further if _days(tokens, at + further) < _unit(tokens, at + 1) else 0


def _is_duration(tokens: Sequence[Token], at: int) -> bool:
    if at + 1 >= len(tokens) or tokens[at].kind != "number" or _word(tokens, at + 1) not in UNITS:
        return False
    return tokens[at + 1].start - tokens[at].end <= 1  # "one a month" is a rate


def _days(tokens: Sequence[Token], at: int, unit: int = 0) -> float:
    return float(str(tokens[at].value)) * _unit(tokens, unit or at + 1)


def _unit(tokens: Sequence[Token], at: int) -> float:
    """The days of a unit of time."""
    scale, size = UNITS[_word(tokens, at)]
    return size * (1.0 if scale == "days" else 365.25 / 12)


def _make(kind: Kind, value: object, tokens: Sequence[Token], at: int) -> Atom:
    token, text = tokens[at], f"{value:f}" if isinstance(value, Decimal) else ""
    digits = len(text.partition(".")[2]) if "." in text else 0
    owned = 1 if _word(tokens, at + 2) in _POINTING else 0
    shared = _word(tokens, at + 1) == "of" and at + 2 + owned < len(tokens) and tokens[at + 2 + owned].kind == "number"
    following = at + 3 + owned if shared else at + 1  # "15 of 30 orders", "15 of her 30 orders"
    nouns = (*_nouns(tokens, following), *_before(tokens, at)) if kind in ("number", "percent") else ()
    nouns = ("time", *nouns[1:]) if nouns[:1] == ("x",) else nouns  # "2.8x the size"
    rate = _word(tokens, at + 1) in ("per", "in") and _word(tokens, at + 2) == "hundred"
    return Atom(kind, value, token.start, token.end, nouns, "per" if rate else _about(tokens, at), digits)


def _about(tokens: Sequence[Token], at: int) -> str:
    for position in range(at - 1, max(-1, at - 4), -1):
        word = _word(tokens, position)
        if word in _HEDGES:
            return "~"
        if word in _ABOVE or (word == "than" and _word(tokens, position - 1) == "more"):
            return ">"
        if word in _BELOW or (word == "than" and _word(tokens, position - 1) in ("less", "fewer")):
            return "<"
        if word not in ("of", "at", "to"):
            break
    gap = tokens[at].start - (tokens[at - 1].end if at else 0)  # articles are no tokens
    return "the" if gap >= len(" the ") - (at == 0) or _word(tokens, at - 1) in _POINTING or _owned(tokens, at) else ""


def _owned(tokens: Sequence[Token], at: int) -> bool:
    """`Ann's two remarks`: all of hers are meant."""
    return at > 0 and tokens[at - 1].possessive


def _nouns(tokens: Sequence[Token], start: int) -> tuple[str, ...]:
    """Stems of up to three words that follow, up to the clause's end: what a number counts."""
    found: list[str] = []
    for token in tokens[start : start + 5]:
        if token.kind in PUNCTUATION or (token.kind in ("number", "money", "date", "percent") and not found):
            break
        word = str(token.value) if token.kind == "word" else ""
        if not found and word.endswith("ed") and not _named_next(tokens, start):
            break  # "a further five passed before"
        if not word or (word in EMPTY and word not in ("of", "other", "more", "different", "separate")):
            break
        if word not in EMPTY:
            found.append(stem(word))
    return tuple(found[:3])


def _named_next(tokens: Sequence[Token], at: int) -> bool:
    """Whether a participle stands ahead of something that it tells of: `two sealed boxes`."""
    word = _word(tokens, at + 1)
    return bool(word) and word not in EMPTY


def _before(tokens: Sequence[Token], at: int) -> tuple[str, ...]:
    """What a number names: `Zone 4`, `ending in 3308`."""
    word = _word(tokens, at - 1)
    if word == "in" and _word(tokens, at - 2) in ("ending", "end"):
        word = "ending"
    return (stem(word),) if word in _NUMBERED else ()


def _year(tokens: Sequence[Token], at: int) -> int:
    value = tokens[at].value if at < len(tokens) and tokens[at].kind == "number" else None
    return int(value) if isinstance(value, Decimal) and 1990 <= value <= 2035 else 0


def _word(tokens: Sequence[Token], at: int) -> str:
    return str(tokens[at].value) if 0 <= at < len(tokens) and tokens[at].kind == "word" else ""
