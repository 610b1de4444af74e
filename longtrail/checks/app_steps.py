"""App steps: key steps of tasks on a user's own app. They check what was opened, done, shown or requested on the way,
and the app's state at the end, read once after the episode.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import Field

from longtrail.checks.hosts import origin_of
from longtrail.checks.key_steps import Hit
from longtrail.checks.route_steps import ElementStep, KeyStepBase, UrlStep, ValueStep, placed
from longtrail.checks.site_state import equal
from longtrail.checks.visits import OwnTexts
from longtrail.records.action import Goto
from longtrail.records.observation import words_of
from longtrail.records.site_reports import Reading
from longtrail.records.trajectory import Step
from longtrail.text.folding import glob, squeeze


class AppUrlStep(UrlStep):
    """A page that was served and opened, or a route that it showed (history API, `#/...`); by default on any host that
    the task names."""

    host: str = ""

    def hit_by(self, step: Step) -> str:
        """How the given turn hits this key step, or an empty text."""
        route = next((url for url in step.outcome.routes if self.fits(url)), "")
        return super().hit_by(step) or (route and f"{route} was shown within the page")


class AppElementStep(ElementStep):
    """An action that succeeded on an element of this role and name."""

    host: str = ""


class AppValueStep(ValueStep):
    """A value that was typed or selected with success, whichever of both the app's field needs."""

    host: str = ""
    action: Literal["fill", "select"] | None = None  # type: ignore[assignment]
    """Only this one counts; not given: both."""


class TextStep(KeyStepBase):
    """A text on a page that the agent was shown. It doesn't count if the agent itself had typed it, searched for it or
    opened an address with it."""

    kind: Literal["text"] = "text"
    text: str
    """Folded for case and spaces; `*` stands for any run of characters within a line."""
    paths: tuple[str, ...] = ()
    """Paths where it must be shown; empty: anywhere."""

    def hit_by(self, step: Step) -> str:
        """How the given turn hits this key step, or an empty text."""
        if not placed(step.observation.url, "", self.paths):
            return ""
        shown = words_of(step.observation).split("\n")
        return f"{self.text!r} was shown at {step.observation.url}" if self.stands_in(shown) else ""

    def stands_in(self, lines: Iterable[str]) -> bool:
        """Whether the text is in these lines."""
        folded, wanted = [squeeze(line) for line in lines], squeeze(self.text)
        if "*" in wanted:
            pattern = re.compile(".*".join(map(re.escape, wanted.split("*"))))
            return any(pattern.search(line) for line in folded)
        return wanted in " ".join(folded)

    def missed(self, steps: Sequence[Step]) -> str:
        """Why it was not hit: the last page that was shown."""
        last = f" (last: {steps[-1].observation.url})" if steps else ""
        return f"{self.text!r} was on no page that was shown{_among(self.paths)}{last}"


class RequestStep(KeyStepBase):
    """A request that the app answered, sent by a form, a script or a link."""

    kind: Literal["request"] = "request"
    method: str = "POST"
    paths: tuple[str, ...] = Field(min_length=1)
    status: Annotated[str, Field(pattern=r"^[1-5][0-9*]{0,2}(\|[1-5][0-9*]{0,2})*$")] = "2*|3*"
    """`200`, `2*`, or several with `|` between them."""

    def hit_by(self, step: Step) -> str:
        """How the given turn hits this key step, or an empty text."""
        for request in step.requests:
            if self._meant(request) and any(glob(status, str(request.status)) for status in self.status.split("|")):
                return f"{request.method} {request.url} was answered with {request.status}"
        return ""

    def missed(self, steps: Sequence[Step]) -> str:
        """Why it was not hit: the closest attempt."""
        for step in steps:
            for request in filter(self._meant, step.requests):
                return f"{request.method} {request.url} was answered with {request.status} at step {step.number}"
        return f"no {self.method} request{_among(self.paths)} was sent"

    def _meant(self, request: Any) -> bool:
        return request.method == self.method.upper() and placed(request.url, "", self.paths)


class ReadingStep(KeyStepBase):
    """One value read from the app after the episode."""

    equals: Any = None
    """The value. Numbers compare as numbers, texts folded (`*` stands for any run of characters). Not given: any value
    that is not empty, zero or false."""

    def at_end(self, reading: Reading | None) -> tuple[bool, str]:
        """Whether the value is as expected, with the reason."""
        if reading is None:
            return False, "the episode ended before it was read"
        good = bool(reading.value) if self.equals is None else equal(self.equals, reading.value)
        wanted = "" if good or self.equals is None else f", not {self.equals!r}"
        return good, f"at the end it is {reading.value!r}{wanted}{f' ({reading.note})' if reading.note else ''}"


class SqlStep(ReadingStep):
    """The result of a query: its value, or all rows if there are more."""

    kind: Literal["sql"] = "sql"
    query: str


class GetStep(ReadingStep):
    """The app's answer to a GET request: its text, or one value of its JSON."""

    kind: Literal["get"] = "get"
    path: str
    """From the app's address."""
    json_path: str = ""
    """`orders.0.status` in a JSON answer; empty: the whole text."""


class CheckStep(ReadingStep):
    """The return value of the user's function; an AssertionError counts as `False`, with its message as the note."""

    kind: Literal["python"] = "python"
    function: str
    """`package.module:function`, called with the app's address if it takes an argument."""


AppKeyStep = Annotated[
    AppUrlStep | AppElementStep | AppValueStep | TextStep | RequestStep | SqlStep | GetStep | CheckStep,
    Field(discriminator="kind"),
]


def evaluate_app(
    key_steps: Sequence[AppKeyStep], steps: Sequence[Step], readings: Mapping[str, Reading], *, ordered: bool = False
) -> tuple[Hit, ...]:
    """Every key step: which step hit it first, or why none did. With `ordered`, key steps on the way must be hit in
    order; values read at the end are hit with the last step."""
    hits: dict[str, Hit] = {}
    written = OwnTexts()
    way = [key for key in key_steps if not isinstance(key, ReadingStep)]
    for step in steps:
        for key in way:
            if key.name in hits:
                continue
            by_agent = isinstance(key, TextStep) and any(key.stands_in([text]) for text in written.texts)
            if not by_agent and (how := key.hit_by(step)):
                hits[key.name] = Hit(name=key.name, step=step.number, reason=how)
            elif ordered:
                break
        written.add(step)
    results = [hits.get(key.name) or _at_end(key, steps, readings, ordered=ordered) for key in key_steps]
    missed = next((number for number, hit in enumerate(results) if hit.step is None), None)
    if missed is not None and (hint := _refused_hosts(steps)):
        results[missed] = results[missed].model_copy(update={"reason": f"{results[missed].reason}; {hint}"})
    return tuple(results)


def _at_end(key: AppKeyStep, steps: Sequence[Step], readings: Mapping[str, Reading], *, ordered: bool) -> Hit:
    if isinstance(key, ReadingStep):
        good, reason = key.at_end(readings.get(key.name))
        return Hit(name=key.name, step=steps[-1].number if good and steps else None, reason=reason)
    early = next((step.number for step in steps if ordered and key.hit_by(step)), None)
    reason = key.missed(steps) if early is None else f"came out of order at step {early}"
    return Hit(name=key.name, step=None, reason=reason)


def _refused_hosts(steps: Sequence[Step]) -> str:
    """The fix for pages that led to addresses that the app does not name; empty if none did."""
    asked = [step.action.url for step in steps if isinstance(step.action, Goto)]
    led_to = {
        origin_of(request.url).base: None
        for step in steps
        for request in step.requests
        if request.refused and request.dest == "document" and request.url not in asked
    }
    names = ", ".join(led_to)
    return f"pages led to {names}, which is blocked: add it to the app's hosts" if names else ""


def _among(paths: Sequence[str]) -> str:
    return f" at {' or '.join(paths)}" if paths else ""
