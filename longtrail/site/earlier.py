"""Earlier: compares a run with the latest comparable earlier runs of its contenders."""

from collections.abc import Iterator, Sequence
from functools import cache, partial
from pathlib import Path

from longtrail.errors import UsageError
from longtrail.gate.comparison import compare
from longtrail.gate.summary import Since
from longtrail.runs.baseline import scores_from
from longtrail.runs.check_cache import check_again
from longtrail.site.view import RunView, view_runs


def against_earlier(latest: RunView, earlier: Sequence[RunView]) -> Iterator[Since]:
    """Compare each contender of a run with the latest earlier run in which it played with the same settings and data;
    latest first. `earlier`: oldest first. A contender without such a run is left out."""
    left, new = _contenders(latest), cache(partial(scores_from, latest.manifest, latest.checked))
    for old in reversed(earlier):
        if old.board.settings != latest.board.settings or old.manifest.data != latest.manifest.data:
            continue
        for who in sorted(left.keys() & _contenders(old).keys(), key=lambda who: left[who]):
            label = left[who]
            try:
                found = compare(scores_from(old.manifest, old.checked), new(), (label, label))
            except UsageError:  # no suite in common, or a label that is not unique
                continue
            if suites := tuple(one for one in found.suites if one.primary.tasks):  # otherwise no case in common
                del left[who]
                yield Since(old.name, label, suites)


def changes_of(run: Path) -> tuple[Since, ...]:
    """What has changed in a finished run, given its folder."""
    views = [view for view in view_runs(run.parents[1], check_again) if view.finished and view.results]
    latest = next((view for view in views if view.name == run.name), None)
    if latest is None:
        return ()
    return tuple(against_earlier(latest, views[: views.index(latest)]))


def _contenders(view: RunView) -> dict[str, str]:
    return {result.contender.model_dump_json(): result.contender.label for result in view.results}
