"""People: the persons who played cases of a suite, how much they agree, and their steps beside those of others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

from longtrail.records.case import DECISION
from longtrail.records.result import Result
from longtrail.records.trajectory import Suite
from longtrail.report.leaderboard.board_row import BoardRow, CasePlay, case_key
from longtrail.statistics.agreement import fleiss_kappa


def case_plays(results: Sequence[Result]) -> dict[str, CasePlay]:
    """Case -> how it was played. Without appeals and invalid cases."""
    return {
        case_key(result.case): CasePlay(
            steps=result.steps,
            minutes=result.timing.person / 60,
            decision=str(answer.value or "") if (answer := result.metrics.get("answer")) else "",
        )
        for result in results
        if result.outcome != "invalid" and not result.case.appeal
    }


@dataclass(frozen=True, slots=True)
class StepsBeside:
    """A line's steps on the cases that a person played, too."""

    line: BoardRow
    cases: int
    steps: float
    """Mean per case."""
    people: float
    """That of the people on the same cases."""
    minutes: float | None
    """A person's own mean per case; None: not a person."""


@dataclass(frozen=True)
class SuitePeople:
    """The people of one suite."""

    suite: Suite
    lines: Sequence[BoardRow]
    """All lines of the suite."""

    @cached_property
    def persons(self) -> tuple[BoardRow, ...]:
        """One line for each."""
        return tuple(line for line in self.lines if line.kind == "person" and line.plays)

    @cached_property
    def decided(self) -> tuple[tuple[str, ...], ...]:
        """The decisions of all people in each case that all of them played; none with fewer than two people."""
        if len(self.persons) < 2 or self.suite not in DECISION:
            return ()
        common = set.intersection(*(set(line.plays) for line in self.persons))
        return tuple(tuple(line.plays[case].decision for line in self.persons) for case in sorted(common))

    @property
    def kappa(self) -> float | None:
        """Fleiss' kappa of these decisions."""
        return fleiss_kappa(self.decided) if self.decided else None

    @property
    def beside(self) -> tuple[StepsBeside, ...]:
        """Every line that shares cases with the people."""
        steps: dict[str, list[int]] = {}
        for line in self.persons:
            for case, play in line.plays.items():
                steps.setdefault(case, []).append(play.steps)
        return tuple(self._of(line, steps) for line in self.lines if steps.keys() & line.plays.keys())

    def _of(self, line: BoardRow, steps: Mapping[str, Sequence[int]]) -> StepsBeside:
        cases = sorted(steps.keys() & line.plays.keys())
        plays = [line.plays[case] for case in cases]
        return StepsBeside(
            line,
            len(cases),
            fmean(play.steps for play in plays),
            fmean(fmean(steps[case]) for case in cases),
            fmean(play.minutes for play in plays) if line.kind == "person" else None,
        )
