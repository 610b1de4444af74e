"""Answers: what a part of a long-context task asks for, and whether the agent's final answer states it."""

from collections.abc import Sequence

from pydantic import Field

from longtrail.clock import NOW
from longtrail.records.record import Record
from longtrail.text.alternatives import Alternative
from longtrail.text.statements import states

COUNTED = 2_000
"""Maximum characters of an answer that are read."""


class Answer(Record):
    """One requested thing: a price, a count, or one member of a list."""

    says: str
    """The true answer in one sentence, as the site shows it."""
    said: tuple[Alternative, ...] = Field(min_length=1)
    """The accepted forms: one of these, stated in one sentence of the answer or in two consecutive ones."""

    def given_in(self, answer: str) -> bool:
        """Whether these words state it. Questions, conditions and denials don't count; nor does similarity."""
        return states(self.said, "", answer[:COUNTED], NOW)


def missing(asked: Sequence[Answer], answer: str) -> tuple[str, ...]:
    """The requested things that the answer lacks."""
    return tuple(each.says for each in asked if not each.given_in(answer))
