"""Resemblance: does a sentence state the same as another in other words? Compares values, names and content words."""

import re
from collections.abc import Container, Mapping, Sequence
from datetime import date
from functools import cache, lru_cache

from longtrail.paths import DATA
from longtrail.text.atoms import tokenize
from longtrail.text.negation import negators
from longtrail.text.synonyms import canonical
from longtrail.text.token import Token
from longtrail.yaml_file import read_yaml

ENOUGH = 0.65
"""Minimum share of the weight of a sentence's values, names and content words that another one must contain."""
SAME = 0.8
"""Minimum share of the weight of each of two sentences that the other must contain, to be the same claim."""
OWN_WORDS = 0.5
"""Minimum share of the weight of a sentence that a fact and its passage must contain, if the sentence restates them."""
TOLD = 0.45
"""Minimum share of a fact's weight that a sentence which restates it must contain."""
_VALUE = 2
"""Weight of a value or a name relative to a word."""
_ABOVE = re.compile(
    r"\b(?:(?<!no )(?<!not )(?:more|longer|later|older|higher) than|over|above|beyond|exceed(?:s|ed|ing)?|at least)\b",
    re.IGNORECASE,
)
_BELOW = re.compile(
    r"\b(?:(?:less|fewer|shorter|younger|lower) than|under|below|within|at most|up to|not? more than)\b", re.IGNORECASE
)
_OURS = re.compile(r"\b(?:our|ours|this|own|same|usual)\b", re.IGNORECASE)
_ANOTHER = re.compile(r"\b(?:another|other|different|else)\b", re.IGNORECASE)
_SUFFIX = re.compile(r"(?:ing|ed|ly|es|er|ion|ment|al)$")


@cache
def _stop_words() -> frozenset[str]:
    lines: list[str] = read_yaml(DATA / "text" / "stop_words.yaml")
    return frozenset(word for line in lines for word in line.split())


@lru_cache(maxsize=16_384)
def _weights(text: str) -> dict[object, int]:
    """The values, names and content words of a text, and their weights."""
    found: dict[object, int] = {}
    plain = canonical(text)
    for token in tokenize(plain):
        if token.kind == "word":
            word = str(token.value)
            if word not in _stop_words() and len(word) > 1:
                found[_stem(word)] = _VALUE if plain[token.start : token.start + 1].isupper() and token.start else 1
        elif (value := _value(token)) is not None:
            found[value] = _VALUE
    return found


@lru_cache(maxsize=16_384)
def _values(text: str) -> frozenset[object]:
    return frozenset(value for token in tokenize(canonical(text)) if (value := _value(token)) is not None)


def _value(token: Token) -> object | None:
    """What a token is compared by if it is a date, a time, an amount or another number."""
    if token.kind == "date":
        return (token.value.month, token.value.day) if isinstance(token.value, date) else token.value
    if token.kind in ("number", "money", "percent", "time", "ref"):
        return str(token.value[1] if isinstance(token.value, tuple) else token.value)
    return None


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
    days` denies `after more than 45 days`, and `another lamp` denies `our lamp`. `denied`: don't compare denials,
    because the text is known to deny all that it states.
    """
    wanted, held = _weights(says), _weights(text)
    if not wanted or _shared(wanted, held) < ENOUGH:
        return False
    return denied or agrees(says, text)


def restates(says: str, passages: Sequence[str], text: str) -> bool:
    """Whether `text` states in words of its own what `says` states and a passage of a page tells: most of its weight is
    theirs, it has enough of what `says` has, no value of its own, and as many denials."""
    wanted, held = _weights(says), _weights(text)
    if not wanted or _shared(wanted, held) < TOLD:
        return False
    known = {word for passage in (says, *passages) for word in _weights(passage)}
    return _shared(held, known) >= OWN_WORDS and known.issuperset(_values(text)) and agrees(says, text)


def share(says: str, text: str) -> float:
    """Share of the weight of `says` that `text` contains, in [0, 1]."""
    return _shared(_weights(says), _weights(text))


def has_values(text: str, of: str) -> bool:
    """Whether a text contains all values of another one."""
    return _values(of) <= _values(text)


def _shared(wanted: Mapping[object, int], held: Container[object]) -> float:
    total = sum(wanted.values())
    return sum(weight for word, weight in wanted.items() if word in held) / total if total else 0.0


def agrees(says: str, text: str) -> bool:
    """Whether a text denies as often as a sentence that it shares words with."""
    wanted = _weights(says)
    if _side(says) * _side(text) < 0:
        return (len(negators(says)) - _denials_of(wanted, text)) % 2 == 1
    opposite = _whose(says) * _whose(text) < 0
    return (len(negators(says)) - len(negators(text))) % 2 == opposite


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


@lru_cache(maxsize=16_384)
def _whose(text: str) -> int:
    """1 if a text speaks of our or this thing, -1 if of another one, 0 if of neither or both."""
    return bool(_OURS.search(text)) - bool(_ANOTHER.search(text))
