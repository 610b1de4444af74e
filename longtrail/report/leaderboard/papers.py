"""The numbers printed in the two papers, as data, and ours measured in the same way."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Literal

from pydantic import Field

from longtrail.paths import PUBLISHED
from longtrail.records.record import Record
from longtrail.records.result import Result
from longtrail.statistics.aggregate import rate
from longtrail.statistics.effects import table1_proven
from longtrail.yaml_file import read

Percent = Annotated[float, Field(ge=0, le=100)]
WithError = tuple[Percent, Percent]
"""A rate and its standard error, both in percent as printed."""


class Paper(Record):
    """Where the numbers are printed."""

    title: str
    authors: str
    year: int
    arxiv: str


class Success(Record):
    """Success of one model at one length of the history (long-context paper, table 1)."""

    model: str
    noise_tokens: int
    value: Percent
    se: Percent


class Errors(Record):
    """How one model's episodes ended, all lengths pooled."""

    model: str
    success: WithError
    false_end: WithError
    inefficient_progress: WithError
    loop: WithError
    other: WithError


class Retrieval(Record):
    """Task success or failure (TS, TF) by return to the task's site (RS, RF), all lengths pooled."""

    model: str
    ts_rs: WithError
    tf_rs: WithError
    tf_rf: WithError
    ts_rf: WithError


class LongContextPaper(Record):
    """All numbers from the long-context paper."""

    paper: Paper
    notes: tuple[str, ...]
    tasks: int
    success: tuple[Success, ...]
    errors: tuple[Errors, ...]
    retrieval: tuple[Retrieval, ...]

    def at(self, model: str, noise_tokens: int) -> Success | None:
        """The paper's row for this model and length, if there is one."""
        return next((s for s in self.success if (s.model, s.noise_tokens) == (model, noise_tokens)), None)

    def returns(self, model: str) -> dict[str, float]:
        """The retrieval table's row of a model, by our labels; empty if it has none."""
        row = next((row for row in self.retrieval if row.model == model), None)
        return {"TS_RS": row.ts_rs[0], "TF_RS": row.tf_rs[0], "TF_RF": row.tf_rf[0]} if row else {}


class DecisionRow(Record):
    """One printed row of PATHWAYS, rates in percent. None: the table lacks this column."""

    table: int
    suite: Literal["shopping_admin", "reddit"]
    prompt: Literal["raw", "hint", "explicit"]
    model: str
    category: str = ""
    """Our name of the category; empty for averages over categories, and for categories that only the paper has."""
    as_printed: str = ""
    """The paper's name of a category that only the paper has."""
    n: int | None = None
    investigation: Percent
    reasoning: Percent
    decision: Percent
    proven: Percent | None = None
    efficiency: float | None = None
    evidence_quality: float | None = None

    @property
    def averaged(self) -> bool:
        """Whether the row is over all categories."""
        return not self.category and not self.as_printed


class DecisionPaper(Record):
    """All numbers from PATHWAYS."""

    paper: Paper
    notes: tuple[str, ...]
    rows: tuple[DecisionRow, ...]
    findings: dict[str, dict[str, Percent]]

    def averages(self, suite: str) -> tuple[DecisionRow, ...]:
        """A suite's rows over all categories: table 1 for `raw`, the most complete table for the other prompts."""
        best: dict[tuple[str, str], DecisionRow] = {}
        for row in self.rows:
            if row.suite == suite and row.averaged:
                chosen = best.get((row.prompt, row.model))
                if chosen is None or chosen.efficiency is None:
                    best[row.prompt, row.model] = row
        order = ("raw", "hint", "explicit")
        return tuple(sorted(best.values(), key=lambda row: (order.index(row.prompt), row.model)))

    def by_category(self, suite: str) -> tuple[DecisionRow, ...]:
        """A suite's rows of single categories, as printed (tables 6 to 15)."""
        return tuple(row for row in self.rows if row.suite == suite and not row.averaged)


@cache
def long_context_paper() -> LongContextPaper:
    """The shipped numbers of the long-context paper. Raises DataError."""
    return read(LongContextPaper, PUBLISHED / "long_context.yaml")


@cache
def decision_paper() -> DecisionPaper:
    """The shipped numbers of PATHWAYS. Raises DataError."""
    return read(DecisionPaper, PUBLISHED / "pathways.yaml")


PROMPTS = ("raw", "hint", "explicit")


@dataclass(frozen=True, slots=True)
class PaperLine:
    """One contender under one prompt condition, measured as in PATHWAYS."""

    prompt: str
    cases: int
    """Number of cases behind every value, except values that are undefined for some cases. Without appeals."""
    values: dict[str, float | None]
    table1: float | None


def paper_lines(results: Sequence[Result]) -> Iterable[PaperLine]:
    """One line for each prompt condition that was played without an appeal."""
    names = ("paper_investigation", "paper_reasoning", "decision", "paper_proven", "paper_efficiency_cumulative",
             "evidence_quality")  # fmt: skip
    for prompt in PROMPTS:
        cases = [result for result in results if result.case.prompt == prompt and not result.case.appeal]
        if cases:
            means = {name: figure.mean if (figure := rate(cases, name)) else None for name in names}
            yield PaperLine(prompt, len(cases), means, table1_proven(cases))
