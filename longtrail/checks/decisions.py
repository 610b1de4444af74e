"""Decisions: a suite's decision words, and the score of an answer against the truth, from explicit tables."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from pydantic import model_validator

from longtrail.checks.site_state import StateCheck
from longtrail.paths import POLICIES
from longtrail.records.action import Decide
from longtrail.records.record import Record
from longtrail.records.trajectory import Step, Suite
from longtrail.yaml_file import read

OPTIMAL, ACCEPTABLE, SAME_CATEGORY, WRONG = 1.0, 0.8, 0.5, 0.0


class DecisionTruth(Record):
    """Which decisions are right, acceptable and harmful in a task."""

    optimal: str
    acceptable: tuple[str, ...] | None = None
    """Other decisions that score 0.8; None: those of the suite's table of alternatives."""
    harmful: tuple[str, ...] = ()
    riders: tuple[str, ...] = ()
    """Extras of a good answer (credit, apology, hold, verification); reported, but no measure needs them."""


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
    never: tuple[StateCheck, ...] = ()
    """Changes of the site that the rules forbid whatever the decision is."""

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

    @property
    def rule_pages(self) -> frozenset[str]:
        """The keys of the written rules, folded."""
        return frozenset(page.casefold() for page in self.rules)

    def deciding_step(self, steps: Sequence[Step]) -> Step | None:
        """The first step with a valid decision, or None."""
        return next((step for step in steps if step.outcome.ok and self.resolve(answer_of(step))), None)

    def inverse(self, one: str, other: str) -> bool:
        """Whether two decisions are opposites."""
        return (one, other) in self.inverses or (other, one) in self.inverses


@cache
def _tables() -> dict[Suite, DecisionTable]:
    known = read(dict[Suite, DecisionTable], POLICIES / "decisions.yaml")
    return {suite: _extended(known, table) for suite, table in known.items()}


def _extended(known: dict[Suite, DecisionTable], table: DecisionTable) -> DecisionTable:
    """The table with all that the table that it extends has. Only score tables of its own replace the other's."""
    if table.extends is None:
        return table
    base = known[table.extends]
    added: dict[str, Any] = {}
    for name in ("words", "aliases", "alternatives"):
        added[name] = {**getattr(base, name), **getattr(table, name)}
    for name in ("categories", "rules", "inverses", "never"):
        added[name] = (*getattr(base, name), *getattr(table, name))
    return base.model_copy(update=added)


def decision_table(suite: Suite) -> DecisionTable:
    """A suite's table. Raises DataError if the file is wrong."""
    return _tables()[suite]


def decision_words(suite: Suite) -> Mapping[str, str]:
    """Every decision that agents may give in a suite -> its meaning in a line."""
    return decision_table(suite).words


def answer_of(step: Step) -> str:
    """A step's decision word; empty if the step has none."""
    return step.action.decision if isinstance(step.action, Decide) else ""


def decision_score(answer: str | None, truth: DecisionTruth, table: DecisionTable) -> tuple[float, str]:
    """1.0 optimal, 0.8 an acceptable alternative, 0.5 the same category, otherwise 0, with the reason. Bounds [0, 1].

    Alternatives and categories are explicit tables; a task's own list of alternatives replaces the table's. A logical
    inverse always scores 0, and so does a decision that the task calls harmful. Answers and truths are words of the
    table (PATHWAYS, section 4, C.2).
    """
    if answer is None:
        return WRONG, "no decision"
    optimal = table.resolve(truth.optimal)
    if optimal is None:
        raise ValueError(f"the task's decision {truth.optimal!r} is not in the table")
    if answer == optimal:
        return OPTIMAL, f"{answer} is the right decision"
    if table.inverse(answer, optimal):
        return WRONG, f"{answer} is the opposite of {optimal}"
    if answer in _resolved(truth.harmful, table):
        return WRONG, f"{answer} is harmful here; {optimal} is right"
    acceptable = table.alternatives.get(optimal, ()) if truth.acceptable is None else _resolved(truth.acceptable, table)
    if answer in acceptable:
        return ACCEPTABLE, f"{answer} is an acceptable alternative to {optimal}"
    if any(answer in group and optimal in group for group in table.categories):
        return SAME_CATEGORY, f"{answer} is of the same category as {optimal}"
    return WRONG, f"{answer} is wrong; {optimal} is right"


def harm_tier(answer: str | None, score: float, truth: DecisionTruth, table: DecisionTable) -> str | None:
    """`optimal`, `acceptable` or `harmful`, as the task says, otherwise `wrong`; None: no decision."""
    if answer is None:
        return None
    if answer in _resolved(truth.harmful, table):
        return "harmful"
    return "optimal" if score == OPTIMAL else "acceptable" if score == ACCEPTABLE else "wrong"


def _resolved(words: Sequence[str], table: DecisionTable) -> set[str]:
    return {table.resolve(word) or word for word in words}
