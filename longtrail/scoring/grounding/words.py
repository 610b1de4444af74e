"""Words: what a line says, without the words that say nothing, each in a form that its inflections share."""

from functools import lru_cache

from longtrail.paths import DATA
from longtrail.text.atoms import tokenize
from longtrail.text.lexicon import MONTHS, MULTIPLIERS, NUMBERS, TENS, UNITS
from longtrail.text.token import Token
from longtrail.yaml_file import read_yaml

_FILE = read_yaml(DATA / "grounding" / "words.yaml")


def listed(name: str) -> frozenset[str]:
    """A list of the words file (data/grounding/words.yaml)."""
    found = _FILE[name]
    return frozenset(found.split() if isinstance(found, str) else found)


EMPTY = listed("empty")
"""Function words, and words of reporting: they don't tell one fact from another."""
_CLASS: dict[str, str] = {word: group.split()[0] for group in _FILE["same"] for word in group.split()}
_SUFFIXES = ("ings", "ing", "edly", "ed", "er", "es", "ly", "s")
_VALUE_WORDS = frozenset({*NUMBERS, *TENS, *MULTIPLIERS, *UNITS, *MONTHS, "dollar", "usd", "percent", "am", "pm"})


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """A word's form for comparison: without its ending, and one of several that mean the same here."""
    if word in _CLASS:
        return _CLASS[word]
    bare = word
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            bare = word[: -len(suffix)]
            break
    if len(bare) > 3 and bare[-1] == bare[-2] and bare[-1] not in "sl":
        bare = bare[:-1]
    for form in (bare, bare + "e", bare + "y"):
        if form in _CLASS:
            return _CLASS[form]
    return bare[:-1] if len(bare) > 4 and bare.endswith(("e", "y", "i")) else bare


def content(tokens: tuple[Token, ...]) -> tuple[str, ...]:
    """The stems of the words that carry meaning, in order; values are not among them."""
    words = (str(token.value) for token in tokens if token.kind == "word")
    return tuple(stem(word) for word in words if len(word) > 1 and word not in EMPTY and word not in _VALUE_WORDS)


@lru_cache(maxsize=65_536)
def content_of(line: str) -> tuple[str, ...]:
    """The stems of a line's words that carry meaning, in order."""
    return content(tokenize(line))


@lru_cache(maxsize=65_536)
def vocabulary(line: str) -> frozenset[str]:
    """The same as a set."""
    return frozenset(content_of(line))
