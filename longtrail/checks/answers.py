"""Answers: whether the agent's final answer states what a part of a long-context task asks for (`Answer`), or is
right in a task on a user's own app (`AnswerCheck`)."""

import re
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from longtrail.clock import NOW
from longtrail.records.record import Record
from longtrail.text.folding import fold
from longtrail.text.matcher import Alternative, find

COUNTED = 2_000
"""Maximum characters of an answer that are read."""


class Answer(Record):
    """One requested thing: a price, a count, or one member of a list."""

    says: str
    """The true answer in one sentence, as the site shows it."""
    said: tuple[Alternative, ...] = Field(min_length=1)
    """The accepted forms: the answer contains the values and words of one of these."""

    def given_in(self, answer: str) -> bool:
        """Whether the counted part of the answer, read as one passage, contains one of the accepted forms."""
        return find(self.said, " ".join(answer[:COUNTED].split()), NOW) is not None


def missing(asked: Sequence[Answer], answer: str) -> tuple[str, ...]:
    """The requested things that the answer lacks."""
    return tuple(each.says for each in asked if not each.given_in(answer))


Normalise = Literal["case", "spaces", "accents", "punctuation"]
FORMS = ("equals", "contains", "number", "matches", "one_of")
MOST_NUMBERS = 5
"""An answer with more numbers is wrong: it may list them all."""
_NUMBER = re.compile(r"(?<![\w.])-?\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\w)|(?<![\w.])-?\d+(?:\.\d+)?(?!\w)")
Texts = Annotated[tuple[str, ...], BeforeValidator(lambda given: (given,) if isinstance(given, str) else given)]
"""One text, or several."""


def _known_pattern(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"{pattern!r} is no regular expression: {error}") from error
    return pattern


class AnswerCheck(Record):
    """One of five forms. Texts are compared after the answer and they are normalised in the same way."""

    equals: str | None = None
    """The whole answer."""
    contains: Texts = ()
    """Texts that it must all contain."""
    number: float | None = None
    """A number that it must have, written as 1234.5 or 1,234.5, among at most five numbers."""
    tolerance: Annotated[float, Field(ge=0)] = 0.0
    """How much the number may differ."""
    matches: Annotated[str, BeforeValidator(_known_pattern)] | None = None
    """A regular expression that it must match somewhere. The answer is normalised, the expression is not."""
    one_of: tuple[str, ...] = ()
    """Texts one of which the whole answer must be."""
    normalise: tuple[Normalise, ...] = ("case", "spaces")
    """What is ignored: `case`, `spaces` (runs of white space), `accents`, `punctuation`; empty: nothing."""

    @model_validator(mode="after")
    def _one_form(self) -> "AnswerCheck":
        given = [name for name in FORMS if getattr(self, name) not in (None, ())]
        if len(given) != 1:
            raise ValueError(f"expected one of {', '.join(FORMS)}, got {' and '.join(given) or 'none'}")
        return self

    def check(self, answer: str | None) -> tuple[bool, str]:
        """Whether the answer is right, with the reason. None: there is no answer."""
        if answer is None:
            return False, "the agent gave no answer"
        given = f"the answer is {answer[:200]!r}"
        if self.number is not None:
            numbers = [float(number.replace(",", "")) for number in _NUMBER.findall(answer)]
            near = any(abs(number - self.number) <= self.tolerance + 1e-9 for number in numbers)
            right, wanted = near and len(numbers) <= MOST_NUMBERS, f"expected the number {self.number:g}"
        elif self.matches is not None:
            right = re.search(self.matches, self._plain(answer)) is not None
            wanted = f"expected a match of {self.matches!r}"
        elif self.contains:
            missing = [text for text in self.contains if self._plain(text) not in self._plain(answer)]
            right, wanted = not missing, f"expected it to contain {' and '.join(map(repr, missing))}"
        else:
            accepted = (self.equals,) if self.equals is not None else self.one_of
            right = self._plain(answer) in map(self._plain, accepted)
            wanted = f"expected {' or '.join(map(repr, accepted))}"
        return right, given if right else f"{given}; {wanted}"

    def _plain(self, text: str) -> str:
        """The text without what is ignored."""
        if "accents" in self.normalise:
            text = text if text.isascii() else "".join(fold(char) if not char.isascii() else char for char in text)
        if "case" in self.normalise:
            text = text.casefold()
        if "punctuation" in self.normalise:
            text = re.sub(r"[^\w\s]", "", text)
        return " ".join(text.split()) if "spaces" in self.normalise else text
