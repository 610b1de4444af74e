"""Handbook: the figures of the shop's policy, and the pages under Content > Pages, among them the Handbook itself."""

from collections.abc import Mapping
from datetime import datetime

from pydantic import TypeAdapter

from longtrail.paths import POLICIES
from longtrail.records.record import Record
from longtrail.yaml_file import read

LIMITS: Mapping[str, float | int] = {
    "takeover_yes": 3,
    "rush_orders": 3,
    "rush_times": 3,
    "spend_times": 3,
    "linked_accounts": 2,
    "linked_refunds": 2,
    "forward_amount": 250,
    "worn_returns": 2,
    "goodwill_reports": 3,
    "goodwill": 50,
    "courtesy": 100,
    "transit_days": 10,
    "return_share": 33,
    "exchange_net": 1000,
    "preferred_months": 24,
    "preferred_orders": 25,
    "preferred_lifetime": 5000,
    "preferred_rank": 10,
    "preferred_refunds": 5,
    "preferred_amount": 250,
    "report_days": 30,
    "return_days": 45,
    "lead_amount": 300,
}
"""All figures of the rules. The Handbook's page gets them from here."""
DISPUTE_LIMITS: Mapping[str, float | int] = {
    "batch_share": 10,
    "batch_months": 12,
    "batch_approve": 8,
    "batch_request": 5,
    "batch_escalate": 2,
    "promise_uses": 12,
    "carton": 0.6,
}
"""The figures of the Handbook's second part (hard tier), which also names some of LIMITS."""


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


PAGES: TypeAdapter[list[ContentPage]] = TypeAdapter(list[ContentPage])
PAGE: TypeAdapter[ContentPage] = TypeAdapter(ContentPage)


def handbook(limits: Mapping[str, float | int], name: str = "handbook") -> ContentPage:
    """The Company Operations Handbook, or its second part (`handbook_disputes`). Its figures come from the rules, so
    that the two can't differ."""
    page = read(PAGE, POLICIES / f"{name}.yaml")
    figures = {name: f"{value:,g}" for name, value in limits.items()}
    sections = tuple(
        Section(heading=s.heading, paragraphs=tuple((number, text.format(**figures)) for number, text in s.paragraphs))
        for s in page.sections
    )
    return page.model_copy(update={"sections": sections})
