"""Step changes: which rows of the sites each step changed. Looked at only after a step that sent something."""

from collections.abc import Iterable, Sequence

from longtrail.episode.phase_loop import SiteLog
from longtrail.records.trajectory import Change, Request, Step

READING = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that send nothing. What a site changes while it serves these is told with the next step that sends."""


class StepChanges:
    """The sites' state as it stood when it was last looked at, in one phase."""

    def __init__(self, site: SiteLog) -> None:
        self._site = site
        self._known = site.changes()

    def told(self, step: Step) -> Step:
        """The step with what it changed."""
        changes = self.of(step.requests)
        return step.model_copy(update={"changes": changes}) if changes else step

    def of(self, requests: Iterable[Request]) -> tuple[Change, ...]:
        """What has changed since the last look, if one of these requests sent something."""
        if all(request.method in READING for request in requests):
            return ()
        before, self._known = self._known, self._site.changes()
        return since(before, self._known)


def since(before: Sequence[Change], now: Sequence[Change]) -> tuple[Change, ...]:
    """What lies between two looks, each of which tells all differences from the same beginning."""
    old = {(one.site, one.table, one.key): one for one in before}
    found = []
    for one in now:
        was = old.pop((one.site, one.table, one.key), None)
        first = was.after if was else one.before
        if first != one.after:
            found.append(one.model_copy(update={"before": first}))
    undone = (one.model_copy(update={"before": one.after, "after": one.before}) for one in old.values())
    return (*found, *undone)
