"""Answers: what a part of a long-context task asks for, and whether the agent's final answer states it."""

from collections.abc import Sequence

from pydantic import Field

from longtrail.clock import NOW
from longtrail.records.record import Record
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
