"""Answers: what a part of a long-context task asks, and whether the words that the agent ended it with answer that."""

from collections.abc import Sequence

from pydantic import Field

from longtrail.clock import NOW
from longtrail.records.record import Record
from longtrail.text.alternatives import Alternative
from longtrail.text.statements import states

COUNTED = 2_000
"""So many characters of an answer are read."""


class Answer(Record):
    """One thing that a part asks for: a price, a count, or one member of a list."""

    says: str
    """The true answer in one sentence, as the site shows it."""
    said: tuple[Alternative, ...] = Field(min_length=1)
    """The forms that count: any of these, stated in a sentence of the answer or in two that follow each other."""

    def given_in(self, answer: str) -> bool:
        """Whether these words state it. Questions, conditions and denials state nothing; likeness is not enough."""
        return states(self.said, "", answer[:COUNTED], NOW)


def missing(asked: Sequence[Answer], answer: str) -> tuple[str, ...]:
    """What was asked for and is not in the answer."""
    return tuple(each.says for each in asked if not each.given_in(answer))
