"""Board: all runs as the leaderboard shows them. One line per contender and suite, baselines separately.

Also the persons who played cases of a suite, how much they agree, and their steps beside those of others.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import fmean

from longtrail.agents.spec import AgentRole, AgentSpec
from longtrail.records.case import DECISION, LONG, PATHWAYS, SHIFTS
from longtrail.records.result import Result
from longtrail.records.trajectory import Suite
from longtrail.report.addresses import run_folder
from longtrail.report.leaderboard.board_row import BoardRow, CasePlay, case_key, headline_cases, ranks
from longtrail.report.leaderboard.papers import PROMPTS, paper_lines
from longtrail.runs.checked import is_lost
from longtrail.statistics.aggregate import Rate, summarize
from longtrail.statistics.agreement import fleiss_kappa

SUITES: tuple[Suite, ...] = (*LONG, *DECISION, *SHIFTS, "app")
KIND_ORDER: tuple[AgentRole, ...] = ("contender", "person", "oracle", "baseline")


@dataclass(frozen=True)
class RunResults:
    """The results of one run: each case once, with the attempt that counts."""

    name: str
    results: Sequence[Result]
    missing: int = 0
    """Planned cases without a record; the results list them as invalid."""
    changed: int = 0
    """Results without a matching episode in the run."""
    problems: tuple[str, ...] = ()
    """Problems with its files, one line each."""
    settings: tuple[str, ...] = ()
    """Its flags that change what is measured and differ from their defaults."""

    @cached_property
    def played(self) -> "RunResults":
        """The same without cases that were planned and not played: the leaderboard shows what was measured."""
        return replace(self, results=[result for result in self.results if not is_lost(result)])

    @cached_property
    def lines(self) -> tuple[BoardRow, ...]:
        """One for each contender, suite and setting. Several pages show them, and a large run's take seconds."""
        return tuple(_lines(self))


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


@dataclass(frozen=True, slots=True)
class SuiteBoard:
    """One suite's part of the leaderboard."""

    suite: Suite
    lines: tuple[BoardRow, ...]
    """The lines, best first: contenders, then people, then the oracle, then baselines."""
    older: tuple[BoardRow, ...]
    """Lines of the same contenders from other runs, oldest first."""

    def of(self, *kinds: AgentRole) -> tuple[BoardRow, ...]:
        """The lines of these kinds, in order."""
        return tuple(line for line in self.lines if line.kind in kinds)

    @property
    def references(self) -> tuple[BoardRow, ...]:
        """The lines that contenders are compared with."""
        return self.of("person", "oracle", "baseline")

    @property
    def people(self) -> SuitePeople:
        """The people who played its cases."""
        return SuitePeople(self.suite, self.lines)

    @property
    def lengths(self) -> tuple[int, ...]:
        """Every context length at which some line was measured."""
        return tuple(sorted({length for line in self.lines for length in line.row.by_length}))

    @property
    def categories(self) -> tuple[str, ...]:
        return tuple(sorted({category for line in self.lines for category in line.row.by_category}))

    @property
    def prompts(self) -> tuple[str, ...]:
        return tuple(prompt for prompt in PROMPTS if any(prompt in line.row.by_prompt for line in self.lines))

    @property
    def trivial(self) -> Rate | None:
        """The headline of the best trivial baseline."""
        headlines = [line.row.headline for line in self.of("baseline") if line.row.headline and not line.foreign]
        return max(headlines, key=lambda rate: rate.mean, default=None)

    @property
    def paired(self) -> bool:
        """Whether some line has pairs of twins."""
        return any("twin_proven" in line.row.rates for line in self.lines)

    @property
    def mixed(self) -> bool:
        """Whether lines were made with different data."""
        return any(line.foreign for line in self.lines)

    @property
    def uneven(self) -> int | None:
        """The number of cases that ranks are based on if contenders ran different cases; otherwise None."""
        noted = [line for line in self.of("contender") if line.rank.note and not line.foreign]
        return noted[0].rank.common if noted else None


def boards(runs: Iterable[RunResults]) -> tuple[SuiteBoard, ...]:
    """The suites with results, in a fixed order. `runs`: oldest first."""
    lines = [line for run in runs for line in run.lines]
    by_suite = ((suite, [line for line in lines if line.row.suite == suite]) for suite in SUITES)
    return tuple(_board(suite, rows) for suite, rows in by_suite if rows)


def _lines(run: RunResults) -> Iterable[BoardRow]:
    for row in summarize(run.results):
        counted = [
            r
            for r in run.results
            if (r.case.suite, r.case.setting, r.contender) == (row.suite, row.setting, row.contender)
        ]
        data = " ".join(sorted({result.provenance.data for result in counted}))
        yield BoardRow(
            row=row,
            run=run.name,
            data=data if row.web == "embedded" else f"{data} ({row.web} web)",
            kind=AgentSpec.parse(row.contender.agent).role,
            paper=tuple(paper_lines(counted)) if row.suite in PATHWAYS and not row.setting else (),
            cases=headline_cases(counted, row.primary),
            plays=case_plays(counted),
            missing=run.missing,
            changed=run.changed,
            at=run_folder(run.name),
            settings=run.settings,
        )


def _board(suite: Suite, lines: Sequence[BoardRow]) -> SuiteBoard:
    best: dict[tuple[str, str, tuple[str, ...], str], BoardRow] = {}
    for line in lines:
        key = line.identity
        if key not in best or _replaces(line, best[key]):
            best[key] = line
    chosen = list(best.values())
    usual = max(set(map(_made, chosen)), key=lambda made: (sum(_made(line) == made for line in chosen), made))
    marked = [_scaled(replace(line, foreign=_made(line) != usual), chosen) for line in chosen]
    shown = sorted(
        _ranked(marked),
        key=lambda line: (
            KIND_ORDER.index(line.kind),
            line.row.setting,
            line.rank.place or len(marked),
            -line.score,
            line.title,
            line.subtitle,
        ),
    )
    return SuiteBoard(suite, tuple(shown), tuple(line for line in lines if line not in chosen))


def _replaces(newer: BoardRow, shown: BoardRow) -> bool:
    """Whether the newer line represents the contender from now on. An interrupted run never replaces a complete one;
    nor does a run of a few tasks, such as one that was played again: it needs half as many as the shown line."""
    if bool(newer.missing) != bool(shown.missing):
        return not newer.missing
    return 2 * newer.tasks >= shown.tasks


def _ranked(lines: Sequence[BoardRow]) -> list[BoardRow]:
    """The lines with the contenders' ranks among lines of the same setting."""
    ordered = [line for line in lines if line.kind != "contender"]
    for setting in sorted({line.row.setting for line in lines}):
        rivals = [line for line in lines if line.kind == "contender" and line.row.setting == setting]
        placed = ranks(
            [line.cases for line in rivals],
            foreign=[line.foreign or line.web != "embedded" for line in rivals],
            missing=[line.missing for line in rivals],
            changed=[line.changed for line in rivals],
        )
        ordered += [replace(line, rank=rank) for line, rank in zip(rivals, placed, strict=True)]
    return ordered


def _made(line: BoardRow) -> tuple[str, tuple[str, ...]]:
    """What must be equal for two lines to be comparable."""
    return line.data, line.settings


def _scaled(line: BoardRow, among: Sequence[BoardRow]) -> BoardRow:
    """The line with its rescaled headline, if there are both a trivial baseline and the oracle."""
    key = (line.web, *_made(line), line.row.setting)
    alike = [row for row in among if (row.web, *_made(row), row.row.setting) == key and row.row.headline]
    low, high = (
        max((row for row in alike if row.kind == kind), key=lambda row: row.score, default=None)
        for kind in ("baseline", "oracle")
    )
    if low is None or high is None or not line.row.headline or high.score <= low.score:
        return line
    return replace(line, normalised=(line.score - low.score) / (high.score - low.score), between=(low, high))
