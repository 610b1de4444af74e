"""The news of the latest run: its gate, or how each of its contenders has changed since its earlier run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from urllib.parse import quote

from longtrail.errors import UsageError
from longtrail.gate.comparison import compare
from longtrail.gate.findings import GateReport, SuiteComparison
from longtrail.report.addresses import run_folder
from longtrail.report.run.view import Arm, RunView, arm_of, gate_arms, view_runs
from longtrail.runs.baseline import scores_from
from longtrail.runs.checked import check_again
from longtrail.tasks.cases import slug

PAST = 12
"""Number of earlier verdicts that are shown."""


@dataclass(frozen=True, slots=True)
class EarlierComparison:
    """One contender of the run against itself in an earlier one."""

    run: str
    label: str
    suites: tuple[SuiteComparison, ...]


@dataclass(frozen=True, slots=True)
class News:
    """The news of the latest run."""

    run: str = ""
    href: str = ""
    gate: GateReport | None = None
    compare: str = ""
    """Address of the comparison with the earlier run."""
    before: str = ""
    change: tuple[SuiteComparison, ...] = ()
    """Without a gate: the comparison with the latest earlier run with the same contender and settings."""
    arms: tuple[Arm, Arm] | None = None
    """Both sides of the gate or of the change."""
    past: tuple[tuple[str, str, str], ...] = ()
    """Gated runs, latest first: run, verdict, address."""


def against_earlier(latest: RunView, earlier: Sequence[RunView]) -> Iterator[EarlierComparison]:
    """Compare each contender of a run with the latest earlier run in which it played with the same settings and data;
    latest first. `earlier`: oldest first. A contender without such a run is left out."""
    left, new = _contenders(latest), cache(partial(scores_from, latest.manifest, latest.checked))
    for old in reversed(earlier):
        if old.board.settings != latest.board.settings or old.manifest.data != latest.manifest.data:
            continue
        for contender in sorted(left.keys() & _contenders(old).keys(), key=lambda contender: left[contender]):
            label = left[contender]
            try:
                comparison = compare(scores_from(old.manifest, old.checked), new(), (label, label))
            except UsageError:  # no suite in common, or a label that is not unique
                continue
            if suites := tuple(
                suite for suite in comparison.suites if suite.primary.tasks
            ):  # otherwise no case in common
                del left[contender]
                yield EarlierComparison(old.name, label, suites)


def changes_of(run: Path) -> tuple[EarlierComparison, ...]:
    """What has changed in a finished run, given its folder."""
    views = [view for view in view_runs(run.parents[1], check_again) if view.finished and view.results]
    latest = next((view for view in views if view.name == run.name), None)
    if latest is None:
        return ()
    return tuple(against_earlier(latest, views[: views.index(latest)]))


def _contenders(view: RunView) -> dict[str, str]:
    return {result.contender.model_dump_json(): result.contender.label for result in view.results}


def news(views: Sequence[RunView]) -> News:
    """The latest finished run compared with its gate's baseline, otherwise with the run before it."""
    done = [view for view in views if view.finished and view.results]
    if not done:
        return News()
    latest = done[-1]
    past = tuple((view.name, view.gate.verdict, view.href) for view in reversed(done) if view.gate)[:PAST]
    if latest.gate:
        base = arm_of(latest.gate.before)
        old = next((view for view in done if view.name == base.run), None)
        href = _compare(old, base.label, latest, _labels(latest)[0]) if old else ""
        return News(latest.name, latest.href, latest.gate, href, arms=gate_arms(latest), past=past)
    change = next(against_earlier(latest, done[:-1]), None)
    if change is None:
        return News(latest.name, latest.href, past=past)
    old = next(view for view in done if view.name == change.run)
    href = _compare(old, change.label, latest, change.label)
    sides = tuple(Arm(name, change.label, run_folder(name)) for name in (old.name, latest.name))
    return News(latest.name, latest.href, None, href, old.name, change.suites, (sides[0], sides[1]), past)


def _labels(view: RunView) -> list[str]:
    return list(dict.fromkeys(result.contender.label for result in view.results))


def _compare(old: RunView, label: str, new: RunView, new_label: str) -> str:
    a, b = (f"{quote(view.name, safe='')}/{slug(contender)}" for view, contender in ((old, label), (new, new_label)))
    return f"compare.html#a={quote(a, safe='')}&b={quote(b, safe='')}"
