"""The forum's rules as code: from the findings of a case to a decision, with the guide's paragraph that decides it.

A task's `policy` has `given` (the subject of the report), `start` (what the reported page shows) and `found` (what
each required fact establishes, by its id). `start` and each entry of `found` are section -> field -> value; lists of
several facts are joined:

    policy:
      given: {matter: promotion, places: 3}
      start: {promotion: {disclosed: true, shown: ["2026-03-15 10:05"]}}
      found:
        first-showing: {promotion: {shown: ["2026-01-16 09:12"]}}
        licence: {promotion: {licence: free}}

The matter's section reads the fields that it needs in the guide's order. A needed field without a value leaves the
case undetermined.
"""

from collections.abc import Mapping
from typing import Any

from longtrail.records.record import Record
from workshop.policies.forum_claims import SourceClaim
from workshop.policies.forum_matters import (
    BusyThread,
    Promotion,
    Question,
    ReportSays,
    Ruling,
    UnknownForumFact,
)
from workshop.policies.variation import Fields, Variation, merged


class ForumUndetermined(Record):
    """The case can't be decided: this field has no value (`section.field`)."""

    missing: str


class ForumFindings(Record):
    """All that is known about a case, section by section."""

    promotion: Promotion = Promotion()
    thread: BusyThread = BusyThread()
    claim: SourceClaim = SourceClaim()
    question: Question = Question()


class ForumPolicy(Record):
    """A task's `policy` field."""

    given: ReportSays
    start: Fields = {}
    found: dict[str, Fields]
    """Fact id to section to field to value."""


def decide(policy: Mapping[str, Any]) -> Ruling | ForumUndetermined:
    """The decision that the guide demands. Raises ValidationError on unknown sections or fields."""
    return ruling_of(ForumPolicy.model_validate(policy), ForumFindings)


def ruling_of(case: ForumPolicy, findings: type[Record]) -> Ruling | ForumUndetermined:
    """The ruling of the section on the report's matter, with all that is known."""
    section = getattr(findings.model_validate(merged((case.start, *case.found.values()))), case.given.matter)
    try:
        ruling: Ruling = section.apply(case.given)
    except UnknownForumFact as unknown:
        return ForumUndetermined(missing=f"{case.given.matter}.{unknown}")
    return ruling


def needless(policy: Mapping[str, Any]) -> list[str]:
    """The facts that can't change the decision, whatever their values."""
    return Variation(decide, ForumFindings).needless(policy)
