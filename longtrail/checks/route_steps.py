"""Route steps: key steps that check a point on the way: a URL served, an element acted upon, or an entered value."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal
from urllib.parse import parse_qs, parse_qsl, unquote, urlsplit

from pydantic import field_validator

from longtrail.checks.hosts import same_site
from longtrail.checks.selectors import fits, parse
from longtrail.checks.visits import visits
from longtrail.records.record import Name, Record
from longtrail.records.trajectory import Step
from longtrail.text.folding import glob, squeeze


class KeyStepBase(Record):
    """Base class of our own key steps. Those that one turn can hit have `hit_by(step)`, how it does, and
    `missed(steps)`, why none did; those of what is true after the last turn have `at_end(...)`."""

    name: Name
    proved_by: str = ""
    """Name of a later key step that can't be hit without achieving this one. When that one is hit, this one counts as
    hit too."""


class UrlStep(KeyStepBase):
    """A main-frame document that was served (200) and that the browser committed, by host, path and query."""

    kind: Literal["url"] = "url"
    host: str
    """Compared by registrable domain."""
    paths: tuple[str, ...]
    """Alternatives. Segments compare after decoding, without a trailing slash; `*` is one segment, `**` any number."""
    query: dict[str, str] = {}
    """Parameters that must be present exactly once with this value (parsed, ignoring case); others don't matter. `*`
    matches any characters; an empty value never counts."""

    def hit_by(self, step: Step) -> str:
        """How the given turn hits this key step, or an empty text."""
        url = next((url for url in visits(step) if self.fits(url)), "")
        return url and f"{url} was served and opened"

    def fits(self, url: str) -> bool:
        """Whether an address matches."""
        return placed(url, self.host, self.paths) and _has_query(url, self.query)

    def missed(self, steps: Sequence[Step]) -> str:
        """Why it was not hit: the closest attempt."""
        for step in steps:
            if any(self.fits(url) for url in step.outcome.navigations):
                return f"its address was shown at step {step.number}, but the site served no such document"
            for request in step.requests:
                if self.fits(request.url):
                    answer = f"{request.status}, {request.dest or 'no document'}"
                    return f"requested at step {step.number} ({answer}), but not opened as a page"
        site = f" of {self.host}" if self.host else ""  # the user's own app has none
        return self._nearest(steps) or f"no page{site} with path {' or '.join(self.paths)} was opened"

    def _nearest(self, steps: Sequence[Step]) -> str:
        """The opened page with the right path and the most of the required parameters, and what it lacked."""
        opened = [(step.number, url) for step in steps for url in visits(step) if placed(url, self.host, self.paths)]
        if not opened:
            return ""
        number, url = min(opened, key=lambda each: len(_lacking(each[1], self.query)))
        return f"the page was opened at step {number}, but without {' and '.join(_lacking(url, self.query))}"


class ElementStep(KeyStepBase):
    """An action that succeeded on an element of this role and name."""

    kind: Literal["element"] = "element"
    host: str
    action: Literal["click", "fill", "select"] = "click"
    role: str
    element: str
    """The element's accessible name; `*` stands for any run of characters."""
    paths: tuple[str, ...] = ()
    """Where it must have happened; empty: anywhere on the host."""
    at: str = ""
    """A CSS selector (`checks/selectors.py`) that its place in the page must fit, where others have the same name."""

    @field_validator("at")
    @classmethod
    def _can_be_judged(cls, at: str) -> str:
        if at and parse(at) is None:
            raise ValueError(f"{at!r} is no selector of tags, ids, classes and positions")
        return at

    def hit_by(self, step: Step) -> str:
        """How the given turn hits this key step, or an empty text."""
        return f"{self.action} on {self.role} {self._named(step)!r}" if self._fits(step) and counts(step) else ""

    def missed(self, steps: Sequence[Step]) -> str:
        """Why it was not hit: the closest attempt."""
        failed = next((step for step in steps if self._fits(step)), None)
        if failed:
            return f"{self.action} on {self.role} {self._named(failed)!r} {_failure(failed)}"
        return f"no {self.action} on {self.role} {self.element!r} on {self.host}"

    def _fits(self, step: Step) -> bool:
        target = step.outcome.target
        return (
            step.action is not None
            and step.action.type == self.action
            and target is not None
            and squeeze(target.role) == squeeze(self.role)
            and glob(self.element, target.name)
            and (not self.at or fits(self.at, target.path))
            and placed(step.observation.url, self.host, self.paths)
        )

    def _named(self, step: Step) -> str:
        return step.outcome.target.name if step.outcome.target else ""


class ValueStep(KeyStepBase):
    """A value that was typed or selected with success."""

    kind: Literal["value"] = "value"
    host: str
    action: Literal["fill", "select"] = "fill"
    element: str = "*"
    value: str
    """Compared after folding case, spaces and accents; `*` stands for any run of characters."""
    paths: tuple[str, ...] = ()

    def hit_by(self, step: Step) -> str:
        """How the given turn hits this key step, or an empty text."""
        return self._done(step) if self._fits(step) and counts(step) else ""

    def missed(self, steps: Sequence[Step]) -> str:
        """Why it was not hit: the closest attempt."""
        failed = next((step for step in steps if self._fits(step)), None)
        if failed:
            return f"{self._done(failed)} {_failure(failed)}"
        place = f" on {self.host}" if self.host else ""
        return f"no {self.action or 'fill or select'} with {self.value!r}{place}"

    def _done(self, step: Step) -> str:
        return f"{step.action.type if step.action else 'nothing'} with {step.outcome.value!r}"

    def _fits(self, step: Step) -> bool:
        target = step.outcome.target
        return (
            step.action is not None
            and step.action.type in ((self.action,) if self.action else ("fill", "select"))
            and glob(self.value, step.outcome.value)
            and glob(self.element, target.name if target else "")
            and placed(step.observation.url, self.host, self.paths)
        )


def counts(step: Step) -> bool:
    """Did the action succeed, on an element that was served?"""
    return step.outcome.ok and (step.outcome.target is None or not step.outcome.target.unserved)


def _failure(step: Step) -> str:
    return f"failed at step {step.number}" if not step.outcome.ok else f"at step {step.number}: the site served no such"


def placed(url: str, host: str, paths: Sequence[str]) -> bool:
    """Whether an address is on a host's registrable domain (empty: any) and, if paths are given, at one of them. A path
    may end in `?name=value`: then the address must have these parameters; others don't matter. After `#` comes the path
    of a route in the fragment."""
    return (not host or same_site(url, host)) and (not paths or any(_at(url, path) for path in paths))


def _at(url: str, pattern: str) -> bool:
    page, has_route, route = pattern.partition("#")
    if has_route:  # `/#/orders/*`: the route in the fragment, with or without the `!` of older ones
        fragment = urlsplit(url).fragment.removeprefix("!")
        return (not page or _at(url, page)) and _at(fragment, route.removeprefix("!"))
    path, _, query = pattern.partition("?")
    return bool(_path(path).fullmatch(_segments(url))) and _has_query(url, dict(parse_qsl(query)))


def _segments(url: str) -> str:
    """The path with every segment decoded; an encoded slash in a segment is not taken for a separator."""
    raw = [segment for segment in urlsplit(url).path.split("/") if segment]
    return "".join("/" + unquote(segment).replace("/", "%2F") for segment in raw)


@lru_cache(maxsize=1024)
def _path(pattern: str) -> re.Pattern[str]:
    """`*` is one segment (or a run of characters within one), `**` any number of segments."""
    parts = [unquote(segment) for segment in pattern.split("/") if segment]
    any_run, one_run = r"(?:/[^/]+)*", "[^/]*"
    return re.compile(
        "".join(
            any_run
            if part == "**"
            else "/[^/]+"
            if part == "*"
            else "/" + one_run.join(re.escape(piece) for piece in part.split("*"))
            for part in parts
        )
    )


def _has_query(url: str, wanted: dict[str, str]) -> bool:
    return not _lacking(url, wanted)


def _lacking(url: str, wanted: dict[str, str]) -> list[str]:
    """The required parameters that an address lacks, as `name=value`. A parameter given twice doesn't count."""
    if not wanted:
        return []
    given = parse_qs(urlsplit(url).query)
    return [
        f"`{name}={value}`"
        for name, value in wanted.items()
        if len(given.get(name, ())) != 1 or not glob(value, given[name][0])
    ]
