"""Resemblance: does a sentence state the same as another in other words? Compares values, names and content words."""

import re
from collections.abc import Container
from datetime import date
from functools import cache, lru_cache

from longtrail.paths import DATA
from longtrail.text.atoms import tokenize
from longtrail.text.negation import negators
from longtrail.text.synonyms import canonical
from longtrail.yaml_file import read_yaml

ENOUGH = 0.65
"""Minimum share of the weight of a sentence's values, names and content words that another one must contain."""
SAME = 0.8
"""Minimum share of the weight of each of two sentences that the other must contain, to be the same claim."""
_VALUE = 2
"""Weight of a value or a name relative to a word."""
_ABOVE = re.compile(
    r"\b(?:(?<!no )(?<!not )(?:more|longer|later|older|higher) than|over|above|beyond|exceed(?:s|ed|ing)?|at least)\b",
    re.IGNORECASE,
)
_BELOW = re.compile(
    r"\b(?:(?:less|fewer|shorter|younger|lower) than|under|below|within|at most|up to|not? more than)\b", re.IGNORECASE
)
_SUFFIX = re.compile(r"(?:ing|ed|ly|es|er|ion|ment|al)$")


@cache
def _stop_words() -> frozenset[str]:
    lines: list[str] = read_yaml(DATA / "text" / "stop_words.yaml")
    return frozenset(word for line in lines for word in line.split())


@lru_cache(maxsize=16_384)
def _weights(text: str) -> dict[object, int]:
    found: dict[object, int] = {}
    for token in tokenize(canonical(text)):
        if token.kind == "word":
            word = str(token.value)
            if word not in _stop_words() and len(word) > 1:
                found[_stem(word)] = _VALUE if text[token.start : token.start + 1].isupper() and token.start else 1
        elif token.kind == "date":
            day = token.value
            found[(day.month, day.day) if isinstance(day, date) else day] = _VALUE
        elif token.kind in ("number", "money", "percent", "time", "ref"):
            value = token.value
            found[str(value[1] if isinstance(value, tuple) else value)] = _VALUE
    return found


def _stem(word: str) -> str:
    return _SUFFIX.sub("", word) if len(word) > 5 else word


def same_claim(says: str, text: str) -> bool:
    """Whether two sentences say the same and hardly anything else. Strict, because it is used for what counts against
    a text."""
    wanted, held = _weights(says), _weights(text)
    shared = sum(weight for word, weight in wanted.items() if word in held)
    return resembles(says, text) and shared >= SAME * max(sum(wanted.values()), sum(held.values()))


def resembles(says: str, text: str, *, denied: bool = False) -> bool:
    """Whether `text` states what `says` states: it contains most of its weight and as many denials, where `within 45
    days` denies `after more than 45 days`. `denied`: don't compare denials, because the text is known to deny all that
    it states.
    """
    wanted, held = _weights(says), _weights(text)
    total = sum(wanted.values())
    if not total or sum(weight for word, weight in wanted.items() if word in held) < ENOUGH * total:
        return False
    if denied:
        return True
    if _side(says) * _side(text) < 0:
        return (len(negators(says)) - _denials_of(wanted, text)) % 2 == 1
    return (len(negators(says)) - len(negators(text))) % 2 == 0


def _denials_of(wanted: Container[object], text: str) -> int:
    """Number of denials in a text that cover a word or value of these: `within 45 days, so it is not too late` denies
    nothing of `after more than 45 days`."""
    tokens = tokenize(text)
    covered = (text[tokens[n.last].end : tokens[n.reach - 1].end] for n in negators(text))
    return sum(any(weight in wanted for weight in _weights(words)) for words in covered)


@lru_cache(maxsize=16_384)
def _side(text: str) -> int:
    """1 if a text says that something is above a limit, -1 if it is below, 0 if neither or both."""
    return bool(_ABOVE.search(text)) - bool(_BELOW.search(text))
