"""App result: what `web_agent` returns to a test, and what a session with such tests prints at its end."""

from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from longtrail.errors import UsageError
from longtrail.options.gate_rules import GateRules
from longtrail.pytest_plugin.terminal_summary import described_failures, failure_lines
from longtrail.records.result import Result
from longtrail.report.build import write_site
from longtrail.report.progress import trace_href
from longtrail.report.terminal import leaderboard_table
from longtrail.runs.baseline import read_scores
from longtrail.runs.manifest import PlanEntry
from longtrail.runs.rescore import ScoredCases, tasks_of
from longtrail.runs.store import Run
from longtrail.runs.sums import seal
from longtrail.statistics.aggregate import summarize
from longtrail.statistics.paired import Stratum
from longtrail.statistics.permutation import permutation_test


@dataclass(frozen=True)
class BaselineComparison:
    """Whether something is not worse than its baseline: usable as a boolean, with the reason as its text."""

    good: bool
    reason: str

    def __bool__(self) -> bool:
        return self.good

    def __repr__(self) -> str:
        return self.reason


@dataclass(frozen=True)
class AppResult:
    """One task's results, one for each repeat."""

    task: str
    results: tuple[Result, ...]
    run: Path
    """The run's folder."""

    @property
    def success_rate(self) -> float:
        """Share of the repeats that passed. In [0, 1]."""
        return sum(result.outcome == "passed" for result in self.results) / len(self.results)

    @property
    def key_step_rate(self) -> float:
        """Mean share of key steps hit. In [0, 1]; 1 without key steps."""
        rates = [result.number("key_step_rate") for result in self.results]
        return fmean(1.0 if rate is None else rate for rate in rates)

    @property
    def steps(self) -> int:
        """Number of steps; of several repeats, the largest."""
        return max(result.steps for result in self.results)

    @property
    def page(self) -> Path:
        """The episode's page; of several repeats, that of the first one that did not pass."""
        shown = next((result for result in self.results if result.outcome != "passed"), self.results[-1])
        return self.run / trace_href(shown.case.id)

    @property
    def reasons(self) -> tuple[str, ...]:
        """For each repeat, why it passed or failed."""
        return tuple(f"{result.outcome}: {result.reason}" for result in self.results)

    def not_worse_than(self, baseline: str | Path, alpha: float = GateRules().alpha) -> BaselineComparison:
        """Compare with the same task of a baseline: a run's name or folder, or a file of `longtrail baseline`.

        False if the share of passed repeats dropped significantly: one-sided p < `alpha` by exact permutation of the
        repeats. With few repeats, only large drops are significant; the reason gives the figures. Raises UsageError if
        the baseline can't be read or lacks the task.
        """
        runs = self.run.parent
        paths = (Path(baseline), runs / baseline, runs.parent / "baselines" / f"{baseline}.json")
        path = next((path for path in paths if path.exists()), None)
        if path is None:
            raise UsageError(f"not_worse_than: there is no file or run {baseline}")
        scores = read_scores(path)
        before = tuple(
            float(scored.outcome == "passed")
            for scored in scores.cases
            if scored.case.task == self.task and scored.outcome != "invalid"
        )
        if not before:
            raise UsageError(f"not_worse_than: {baseline} has no valid case of {self.task}")
        after = tuple(float(result.outcome == "passed") for result in self.results)
        p = permutation_test([Stratum(self.task, before, after)]).lower
        shares = f"{fmean(after):.0%} of {len(after)} passed, {fmean(before):.0%} of {len(before)} in {scores.name}"
        worse = fmean(after) < fmean(before) and p < alpha
        return BaselineComparison(not worse, f"{shares}; p = {p:.3f}, {'worse' if worse else 'not shown to be worse'}")

    def __repr__(self) -> str:
        return f"<{self.task}: {self.success_rate:.0%} of {len(self.results)} passed; {'; '.join(self.reasons)[:2000]}>"


def finish(folder: Path) -> str:
    """Complete a session's run: results, checksums, leaderboard. Returns the text to print."""
    run = Run.open(folder)
    run.lock()
    try:
        tasks = tasks_of(run)
        results = ScoredCases(run, tasks).collect().results
        run.plan(
            [result.case.id for result in results],
            [PlanEntry(case=result.case, contender=result.contender) for result in results],
        )
        run.write_results(results)
        seal(run)
    finally:
        run.close()
    page = write_site(run.folder.parents[1], tasks, only=run.folder.name)
    failed, report = [result for result in results if result.outcome == "failed"], run.folder / "index.html"
    lines = failure_lines(run.folder, described_failures(run, failed, tasks), len(failed), report)
    paths = (f"run:         {run.folder}", f"report:      {report}", f"leaderboard: {page}")
    return "\n".join((leaderboard_table(summarize(results)), "", *lines, *paths))
