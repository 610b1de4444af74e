"""Paper lines: what PATHWAYS measures, for each prompt condition of one contender."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from longtrail.records.result import Result
from longtrail.statistics.aggregate import rate
from longtrail.statistics.funnel import table1_proven

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
        mine = [result for result in results if result.case.prompt == prompt and not result.case.appeal]
        if mine:
            means = {name: found.mean if (found := rate(mine, name)) else None for name in names}
            yield PaperLine(prompt, len(mine), means, table1_proven(mine))
