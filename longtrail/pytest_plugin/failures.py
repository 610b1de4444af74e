"""Failures: what a session prints of its most informative failures, each with its episode's page."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from longtrail.records.result import Result
from longtrail.report.job_summary import FailureSummary, informative_failures
from longtrail.report.progress import trace_href
from longtrail.report.text import clip, plain
from longtrail.report.trace.story import story
from longtrail.runs.store import Run
from longtrail.tasks.task import Task

LONGEST = 300
"""Maximum characters of a sentence."""


def described_failures(run: Run, failed: Iterable[Result], tasks: Mapping[str, Task]) -> list[FailureSummary]:
    """The most informative of these failures in words; those without an episode are left out."""
    return [failure for result in informative_failures(failed) if (failure := _described(run, result, tasks))]


def failure_lines(folder: Path, chosen: Sequence[FailureSummary], failed: int, page: Path) -> list[str]:
    """Lines to print, the last one empty; none without failures. `failed`: how many there are, `page`: lists all."""
    if not chosen:
        return []
    more = f" ({failed} in all, {page} lists them)" if failed > len(chosen) else ""
    lines = [f"The {len(chosen)} most informative failures{more}:" if len(chosen) > 1 else f"What failed{more}:"]
    for failure in chosen:
        lines.append(f"  {plain(failure.case)}: {clip(plain(failure.sentence), LONGEST)}")
        lines.append(f"    {folder / trace_href(failure.case)}{failure.anchor}")
    return [*lines, ""]


def _described(run: Run, result: Result, tasks: Mapping[str, Task]) -> FailureSummary | None:
    episode = run.recorded(result.case.id)
    if episode is None:
        return None
    words = story(episode, result, tasks.get(result.case.task))
    return FailureSummary(result.case.id, words.text, f"#step-{words.telling}" if words.telling else "")
