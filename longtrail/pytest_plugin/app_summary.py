"""App summary: the end of a session whose tests used `web_agent`: the run's results, pages and terminal text."""

from pathlib import Path

from longtrail.pytest_plugin.terminal_summary import described_failures, failure_lines
from longtrail.report.build import write_site
from longtrail.report.terminal import leaderboard_table
from longtrail.runs.manifest import PlanEntry
from longtrail.runs.own_tasks import tasks_of
from longtrail.runs.rescore import ScoredCases
from longtrail.runs.store import Run
from longtrail.runs.sums import seal
from longtrail.statistics.aggregate import summarize


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
