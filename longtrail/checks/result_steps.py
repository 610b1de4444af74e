"""Result steps: key steps that check a result, whichever route led there.

They check a list of items, a site's state at the end of the part, or a form's contents. Each has a `route`: the key
steps of one route to it, as the paper would annotate them. The route is what counts in the measure `paper_success` and
on the live web, whose sites don't report their lists and state.
"""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field

from longtrail.checks.hosts import same_site
from longtrail.checks.route_steps import ElementStep, KeyStepBase, UrlStep, ValueStep, counts, placed
from longtrail.checks.visits import canonical, is_document
from longtrail.records.site_reports import Listed
from longtrail.records.trajectory import Change, Step
from longtrail.text.folding import glob

RouteStep = Annotated[UrlStep | ElementStep | ValueStep, Field(discriminator="kind")]


class ResultStep(KeyStepBase):
    """Base class of these key steps."""

    host: str
    route: tuple[RouteStep, ...] = Field(min_length=1)


class ListingStep(ResultStep):
    """A list on the site of exactly these items, on one or more pages, in the requested order."""

    kind: Literal["listing"] = "listing"
    says: str
    """The list in words, for reasons: `theater in Boston`."""
    items: tuple[str, ...] = Field(min_length=1)
    """Keys of the items, as the site names them: `events/510083`."""
    route: tuple[UrlStep, ...] = Field(min_length=1)
    order: str = ""
    """The field by which they must be sorted, descending with a leading `-`; empty: any order."""

    def hit_by(self, step: Step) -> str:
        """How the given turn hits this key step, or an empty text. At the annotated address the list may have
        more items (a search by other words finds more), but none may be missing. If the record doesn't say what was
        listed, the address decides."""
        for url, listed in self._pages(step):
            if listed is not None and self._is_meant(listed):
                return f"{url} lists {self.says}"
            if self.route[-1].fits(url) and (listed is None or set(listed.items) >= set(self.items)):
                return f"{url} was served and opened"
        return ""

    def missed(self, steps: Sequence[Step]) -> str:
        """Why it was not hit: the closest attempt, and what it lacked."""
        seen = [(step.number, listed) for step in steps for _, listed in self._pages(step) if listed]
        if not seen:
            return f"no list of {self.host} was opened"
        wanted = set(self.items)
        number, nearest = min(seen, key=lambda each: len(wanted ^ set(each[1].items)))
        held = set(nearest.items)
        if held == wanted:
            return f"the list at step {number} shows {self.says}, but is not sorted by {self.order.lstrip('-')}"
        parts = [f"{len(held - wanted)} others too"] if held - wanted else []
        parts += [f"{len(wanted - held)} of {len(wanted)} are missing"] if wanted - held else []
        return f"the list was opened, but not narrowed to {self.says} (nearest at step {number}: {', '.join(parts)})"

    def _is_meant(self, listed: Listed) -> bool:
        return set(listed.items) == set(self.items) and (not self.order or listed.order == self.order)

    def _pages(self, step: Step) -> list[tuple[str, Listed | None]]:
        """The documents of the site that were served and opened in a step, and what they list."""
        opened = {canonical(url) for url in step.outcome.navigations}
        return [
            (request.url, request.listed)
            for request in step.requests
            if is_document(request) and same_site(request.url, self.host) and canonical(request.url) in opened
        ]


class StateStep(ResultStep):
    """The cart or the favourites at the end of the part: these items in these numbers."""

    kind: Literal["state"] = "state"
    says: str
    """The contents in words, for reasons: `two upper level seats for Six`."""
    place: Literal["cart", "favourites"]
    holds: dict[str, Annotated[int, Field(ge=1)]] = Field(min_length=1)
    """Item's key -> how many."""

    def held(self, changes: Sequence[Change]) -> dict[str, int]:
        """The actual contents: item's key -> how many."""
        rows = [change.after for change in changes if change.table == self.place and change.after]
        mine = [row for row in rows if row.get("host") == self.host]
        return {str(row["item"]): int(row.get("quantity", 1)) for row in mine}

    def at_end(self, changes: Sequence[Change], asked: frozenset[str]) -> tuple[bool, str]:
        """Whether the contents are right, and why or why not. `asked`: all items that key steps ask for in this place;
        anything else must not be there."""
        held = self.held(changes)
        wrong = [
            f"{held.get(item, 0)} of {item}, not {count}"
            for item, count in self.holds.items()
            if held.get(item, 0) != count
        ]
        others = sorted(held.keys() - asked)
        wrong += [f"{', '.join(others)} too"] if others else []
        where = f"{self.place} of {self.host}"
        if wrong:
            return False, f"not at the end in {where}: {self.says} ({'; '.join(wrong)})"
        return True, f"at the end in {where}: {self.says}"


class FormStep(ResultStep):
    """A form at the end of the part: open, with these values in its fields, not sent."""

    kind: Literal["form"] = "form"
    says: str
    paths: tuple[str, ...] = Field(min_length=1)
    """Paths of the form's page."""
    fields: dict[str, str] = Field(min_length=1)
    """A field's accessible name -> its value; `*` stands for any run of characters."""

    def at_end(self, steps: Sequence[Step], changes: Sequence[Change]) -> tuple[int | None, str]:
        """The step that entered the last value, if the form is right; and why or why not."""
        given = {field: self._last(steps, field) for field in self.fields}
        for field, last in given.items():
            if last is None:
                return None, f"nothing was entered in {field.strip('*')!r} of {self.host}"
            if not glob(self.fields[field], last.outcome.value):
                return None, f"{field.strip('*')!r} was left with {last.outcome.value!r}, not {self.fields[field]!r}"
        if any(change.table == "submissions" and (change.after or {}).get("host") == self.host for change in changes):
            return None, "the form was sent"
        number = max(last.number for last in given.values() if last)
        # a step that opened a document has replaced the form's
        left = next((step for step in steps if step.number > number and step.outcome.navigations), None)
        if left is not None:
            return None, f"the form was left at step {left.number}, and what had been entered was lost"
        return number, f"the form is open with {self.says}"

    def _last(self, steps: Sequence[Step], field: str) -> Step | None:
        entered = [
            step
            for step in steps
            if step.action is not None
            and step.action.type in ("fill", "select")
            and counts(step)
            and step.outcome.target is not None
            and glob(field, step.outcome.target.name)
            and placed(step.observation.url, self.host, self.paths)
        ]
        return entered[-1] if entered else None


def last_change(steps: Sequence[Step], host: str) -> int | None:
    """The last step that sent the site a change."""
    return max(
        (
            step.number
            for step in steps
            for request in step.requests
            if request.method not in ("GET", "HEAD", "OPTIONS") and same_site(request.url, host)
        ),
        default=None,
    )
