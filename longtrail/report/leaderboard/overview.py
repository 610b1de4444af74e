"""Overview: one line per contender over all suites, shown at the top of the leaderboard."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean

from longtrail.records.trajectory import Suite, Usage
from longtrail.report.addresses import case_list
from longtrail.report.leaderboard.board import BoardRow, SuiteBoard


@dataclass(frozen=True, slots=True)
class ContenderSummary:
    """One contender over all suites."""

    lines: dict[Suite, BoardRow]

    @property
    def first(self) -> BoardRow:
        return next(iter(self.lines.values()))

    @property
    def score(self) -> float:
        """Average of the defined headlines."""
        return fmean(line.score for line in self.lines.values())

    @property
    def cases(self) -> int:
        return sum(line.row.cases for line in self.lines.values())

    def case_list(self, **where: object) -> str:
        """Address of all of its cases; empty if they are in several runs."""
        if len({line.run for line in self.lines.values()}) > 1:
            return ""
        return case_list(self.first.at, ",".join(self.lines), self.first.who, "", "all", **{"group": "", **where})

    @property
    def invalid_rate(self) -> float:
        return sum(line.row.invalid for line in self.lines.values()) / self.cases

    @property
    def usage(self) -> Usage:
        """Usage over all suites; the price is unknown if any part of it is."""
        return sum((line.row.usage for line in self.lines.values()), Usage())


def overview(found: Sequence[SuiteBoard]) -> tuple[ContenderSummary, ...]:
    """One line per contender over all suites, ordered by the average of its headlines, best first; then oracle and
    baselines. Contenders that played only appeals have no headline and no line."""
    glances: dict[tuple[str, str, tuple[str, ...], str], dict[Suite, BoardRow]] = {}
    for board in found:
        for line in (line for line in board.lines if line.row.headline):
            glances.setdefault(line.identity, {})[board.suite] = line
    order = {"contender": 0, "oracle": 1, "baseline": 2}
    return tuple(
        sorted(
            map(ContenderSummary, glances.values()),
            key=lambda g: (order[g.first.kind], -g.score, g.first.title, g.first.by),
        )
    )


def crowd(found: Sequence[SuiteBoard]) -> str:
    """The number of entries on the board: `2 contenders, the oracle and 1 baseline`."""
    kinds = {line.identity[0]: line.kind for board in found for line in board.lines}
    rivals, bases = (sum(kind == one for kind in kinds.values()) for one in ("contender", "baseline"))
    parts = [f"{rivals} contender{'s' * (rivals != 1)}"] if rivals else []
    parts += ["the oracle"] if "oracle" in kinds.values() else []
    parts += [f"{bases} baseline{'s' * (bases != 1)}"] if bases else []
    return " and ".join(filter(None, [", ".join(parts[:-1]), *parts[-1:]]))
