"""Accessibility: the measure and the key step of what axe found in the page where an agent ended."""

from collections.abc import Iterator

from longtrail.checks.key_steps import Hit
from longtrail.records.result import Metric
from longtrail.records.site_reports import ACCESSIBILITY, Reading
from longtrail.scoring.measure import mean

MEASURES = (
    mean(
        ACCESSIBILITY,
        ("app",),
        "rules of serious or critical impact that the last page violates, by axe-core; where the task asks for it",
        high=None,
    ),
)


def metric(reading: Reading | None) -> Metric:
    """The number of violated rules, each with its impact, the number of elements and axe's words."""
    if reading is None or reading.value is None:
        return Metric(value=None, reason=reading.note if reading else "the episode ended before its page was checked")
    rules = [
        f"{each['rule']} ({each['impact']}, {_elements(each['elements'])}): {each['help']}" for each in reading.value
    ]
    return Metric(value=len(rules), reason=f"{'; '.join(rules) or 'none'} [{reading.note}]")


def hits(found: Metric, last: int) -> Iterator[Hit]:
    """The key step of tasks with `no_accessibility_violation: true`; none if the page could not be checked."""
    if found.value is not None:
        step = None if found.value else last or None
        yield Hit(name="no_accessibility_violation", step=step, reason=found.reason)


def _elements(number: int) -> str:
    return "1 element" if number == 1 else f"{number} elements"
