"""Key steps of long-context tasks, evaluated against a part's steps and the sites' state at its end."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Annotated

from pydantic import Field

from longtrail.checks.result_steps import FormStep, ListingStep, ResultStep, RouteStep, StateStep, last_change
from longtrail.checks.route_steps import ElementStep, UrlStep, ValueStep
from longtrail.checks.webcanvas import WebCanvasStep
from longtrail.records.record import Record
from longtrail.records.trajectory import Change, Step

__all__ = ["ElementStep", "Hit", "KeyStep", "RouteStep", "UrlStep", "ValueStep", "all_hit", "evaluate", "route"]

KeyStep = Annotated[
    UrlStep | ElementStep | ValueStep | ListingStep | StateStep | FormStep | WebCanvasStep, Field(discriminator="kind")
]
"""The last class is the compatibility mode for published key nodes."""


class Hit(Record):
    """Whether a key step was reached, at which step first, and how or why not."""

    name: str
    step: int | None
    reason: str


def route(key_steps: Iterable[KeyStep]) -> tuple[RouteStep | WebCanvasStep, ...]:
    """The key steps of the annotated route, as in the paper: instead of results, the points on the way to them."""
    found: list[RouteStep | WebCanvasStep] = []
    for key in key_steps:
        found += key.route if isinstance(key, ResultStep) else (key,)
    return tuple(found)


def evaluate(
    key_steps: Sequence[KeyStep], steps: Sequence[Step], changes: Sequence[Change] = (), *, ordered: bool = False
) -> tuple[Hit, ...]:
    """Every key step against the steps of one part, the last one included (long-context paper, section 3), and against
    the sites' state after them (`changes`).

    A key step that was hit stays hit, except that states and forms are checked at the end of the part. Order doesn't
    matter, unless `ordered`: then a key step counts only once all earlier ones were hit (one step may hit several). A
    key step with `proved_by` is also hit when that later key step is.
    """
    at_end = _at_end(key_steps, steps, changes)
    hits: dict[str, Hit] = {}
    for step in steps:
        for key in key_steps:
            if key.name in hits:
                continue
            if hit := _hit(key, step, at_end):
                hits[key.name] = hit
            elif ordered and not getattr(key, "proved_by", ""):
                break
    for key in reversed(key_steps):
        if key.name not in hits and (proof := hits.get(getattr(key, "proved_by", ""))):
            hits[key.name] = Hit(name=key.name, step=proof.step, reason=f"proved by {proof.name}: {proof.reason}")
    return tuple(
        hits.get(key.name) or Hit(name=key.name, step=None, reason=_why_not(key, steps, at_end, ordered))
        for key in key_steps
    )


def all_hit(
    key_steps: Sequence[KeyStep], steps: Sequence[Step], changes: Sequence[Change] = (), *, ordered: bool = False
) -> bool:
    """Whether these steps hit every key step."""
    return all(hit.step is not None for hit in evaluate(key_steps, steps, changes, ordered=ordered))


def _at_end(key_steps: Sequence[KeyStep], steps: Sequence[Step], changes: Sequence[Change]) -> dict[str, Hit]:
    """The key steps that are checked at the end of the part: hit at the step that last changed what they check."""
    asked: defaultdict[tuple[str, str], frozenset[str]] = defaultdict(frozenset)
    for key in key_steps:
        if isinstance(key, StateStep):
            asked[key.host, key.place] |= key.holds.keys()
    found = {}
    for key in key_steps:
        if isinstance(key, StateStep):
            good, reason = key.at_end(changes, asked[key.host, key.place])
            number = (last_change(steps, key.host) or steps[-1].number) if good and steps else None
            found[key.name] = Hit(name=key.name, step=number, reason=reason)
        elif isinstance(key, FormStep):
            number, reason = key.at_end(steps, changes)
            found[key.name] = Hit(name=key.name, step=number, reason=reason)
    return found


def _hit(key: KeyStep, step: Step, at_end: dict[str, Hit]) -> Hit | None:
    """How a step hits a key step, if it does."""
    if isinstance(key, StateStep | FormStep):
        found = at_end[key.name]
        return found if found.step is not None and found.step <= step.number else None
    how = key.hit_by(step)
    return Hit(name=key.name, step=step.number, reason=how) if how else None


def _why_not(key: KeyStep, steps: Sequence[Step], at_end: dict[str, Hit], ordered: bool) -> str:
    early = next((hit for step in steps if ordered and (hit := _hit(key, step, at_end))), None)
    if early is not None:
        return f"came out of order at step {early.step}"
    return at_end[key.name].reason if isinstance(key, StateStep | FormStep) else key.missed(steps)
