"""Token: one typed piece of a line of text."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["word", "number", "money", "percent", "date", "time", "ref", "comma", "colon", "stop", "dash"]
PUNCTUATION = frozenset({"comma", "colon", "stop", "dash"})


@dataclass(frozen=True, slots=True)
class Token:
    """One typed token.

    `value` by kind: word and ref: folded text; number and percent: Decimal; money: (currency, Decimal); date: a date,
    or (month, day) if the year is not given; time: minutes since midnight; punctuation: the character.
    """

    kind: Kind
    value: object
    start: int
    end: int
    exact: bool = False
    """A number written with two decimals, as money is."""
    possessive: bool = False
    """A word that ends in 's or s'."""
