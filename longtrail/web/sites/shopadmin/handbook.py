"""Handbook: the figures of the shop's policy, and the pages under Content > Pages, among them the Handbook itself."""

from collections.abc import Mapping
from datetime import datetime

from longtrail.paths import POLICIES
from longtrail.records.record import Record
from longtrail.yaml_file import read

_FIGURES = read(dict[str, dict[str, int | float]], POLICIES / "figures.yaml")
LIMITS, DISPUTE_LIMITS = _FIGURES["handbook"], _FIGURES["handbook_disputes"]
"""The figures of the Handbook's rules, and of its second part (hard tier)."""


class Section(Record):
    """A heading and its paragraphs, each with its number (or none)."""

    heading: str
    paragraphs: tuple[tuple[str, str], ...]


class ContentPage(Record):
    """A page of content."""

    id: int
    title: str
    key: str
    """Its address in the shop."""
    active: bool
    created: datetime
    changed: datetime
    sections: tuple[Section, ...]


def handbook(limits: Mapping[str, float | int], name: str = "handbook") -> ContentPage:
    """The Company Operations Handbook, or its second part (`handbook_disputes`). Its figures come from the rules, so
    that the two can't differ."""
    page = read(ContentPage, POLICIES / f"{name}.yaml")
    figures = {name: f"{value:,g}" for name, value in limits.items()}
    sections = tuple(
        Section(heading=s.heading, paragraphs=tuple((number, text.format(**figures)) for number, text in s.paragraphs))
        for s in page.sections
    )
    return page.model_copy(update={"sections": sections})
