"""Decisions: a suite's decision words, and the score of an answer against the truth, from explicit tables."""

from collections.abc import Mapping
from functools import cache

from pydantic import TypeAdapter, model_validator

from longtrail.paths import POLICIES
from longtrail.records.record import Record
from longtrail.records.trajectory import Suite
from longtrail.yaml_file import read

OPTIMAL, ACCEPTABLE, SAME_CATEGORY, WRONG = 1.0, 0.8, 0.5, 0.0


class DecisionTable(Record):
    """One suite's decisions."""

    extends: Suite | None = None
    """The suite whose table this one adds to (hard tier)."""
    words: dict[str, str]
    """Decision -> its meaning in one line; agents see both."""
    known: tuple[str, ...] = ()
    """Decisions that other releases of the benchmark offer; scored, but not shown to agents."""
    aliases: dict[str, str] = {}
    """Other spellings -> the word."""
    alternatives: dict[str, tuple[str, ...]] = {}
    """Truth -> answers worth 0.8."""
    categories: tuple[tuple[str, ...], ...] = ()
    """Groups of similar decisions: one scores 0.5 where another is right."""
    rules: tuple[str, ...] = ()
    """Page keys of the written rules, which every decision may need."""
    inverses: tuple[tuple[str, str], ...] = ()
    """Opposite pairs: always worth 0, whatever other tables or a task say."""

    @model_validator(mode="after")
    def _consistent(self) -> "DecisionTable":
        if self.extends is not None:
            return self
        named = {*self.words, *self.known}
        used = {*self.aliases.values(), *self.alternatives, *(word for group in self.categories for word in group)}
        used |= {word for answers in self.alternatives.values() for word in answers}
        used |= {word for pair in self.inverses for word in pair}
        if unknown := sorted(used - named):
            raise ValueError(f"these decisions are not among words or known: {', '.join(unknown)}")
        return self

    def resolve(self, answer: str) -> str | None:
        """The decision that an answer names, or None if it names none or two. Case, spaces and hyphens don't matter."""
        word = "_".join(answer.replace("-", " ").replace("_", " ").split()).upper()
        word = self.aliases.get(word, word)
        return word if word in self.words or word in self.known else None

    def inverse(self, one: str, other: str) -> bool:
        """Whether two decisions are opposites."""
        return (one, other) in self.inverses or (other, one) in self.inverses


_TABLES = TypeAdapter(dict[Suite, DecisionTable])


@cache
def _tables() -> dict[Suite, DecisionTable]:
    known = read(_TABLES, POLICIES / "decisions.yaml")
    return {suite: _extended(known, table) for suite, table in known.items()}


def _extended(known: dict[Suite, DecisionTable], table: DecisionTable) -> DecisionTable:
    """The table with all that the table that it extends has. Only score tables of its own replace the other's."""
    if table.extends is None:
        return table
    base = known[table.extends]
    return base.model_copy(
        update={
            "words": {**base.words, **table.words},
            "aliases": {**base.aliases, **table.aliases},
            "alternatives": {**base.alternatives, **table.alternatives},
            "categories": (*base.categories, *table.categories),
            "rules": (*base.rules, *table.rules),
            "inverses": (*base.inverses, *table.inverses),
        }
    )


def decision_table(suite: Suite) -> DecisionTable:
    """A suite's table. Raises DataError if the file is wrong."""
    return _tables()[suite]


def decision_words(suite: Suite) -> Mapping[str, str]:
    """Every decision that agents may give in a suite -> its meaning in a line."""
    return decision_table(suite).words
