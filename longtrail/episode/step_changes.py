"""Step changes: which rows of the sites each step changed. Checked only after a step that sent something."""

from collections.abc import Iterable, Sequence

from longtrail.episode.phase_loop import SiteLog
from longtrail.records.trajectory import Change, Request, Step

READING = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that send nothing. Changes that a site makes while it serves them are reported with the next step that
sends."""


class StepChanges:
    """The sites' state at the last check, in one phase."""

    def __init__(self, site: SiteLog) -> None:
        self._site = site
        self._known = site.changes()

    def told(self, step: Step) -> Step:
        """The step with what it changed."""
        changes = self.of(step.requests)
        return step.model_copy(update={"changes": changes}) if changes else step

    def of(self, requests: Iterable[Request]) -> tuple[Change, ...]:
        """The changes since the last check, if one of these requests sent something."""
        if all(request.method in READING for request in requests):
            return ()
        before, self._known = self._known, self._site.changes()
        return since(before, self._known)


def since(before: Sequence[Change], now: Sequence[Change]) -> tuple[Change, ...]:
    """The changes between two checks, each of which has all differences from the same initial state."""
    old = {(one.site, one.table, one.key): one for one in before}
    found = []
    for one in now:
        was = old.pop((one.site, one.table, one.key), None)
        first = was.after if was else one.before
        if first != one.after:
            found.append(one.model_copy(update={"before": first}))
    undone = (one.model_copy(update={"before": one.after, "after": one.before}) for one in old.values())
    return (*found, *undone)
