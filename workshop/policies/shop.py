"""The shop's policy as rules: from the findings of a case to a decision, with the Handbook's paragraph that decides
it.

A task's `policy` has `given` (what the request says), `found` (what each fact establishes, by its id), and `start` if
the order's own pages already show a field of a later section:

    policy:
      given: {claim: damaged, amount: 95.68}
      start: {goods: {days: 3}}
      found:
        tenure: {account: {months: 25}}
        orders: {account: {orders: 50}}

A section of the Handbook applies if any fact that it asks about was found. Then it needs all of its facts: a missing
one leaves the case undetermined. Lists of several facts are joined. Sections apply in the Handbook's order; the first
verdict counts.
"""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from longtrail.clock import NOW
from longtrail.records.record import Record
from workshop.policies.shop_disputes import Batch, Contents, Household, Promise, Redirected
from workshop.policies.shop_sections import (
    Account,
    Forwarded,
    Goods,
    Linked,
    OutOfScope,
    Parcel,
    PolicyVerdict,
    Possession,
    RequestSays,
    Returns,
    Takeover,
    UnknownShopFact,
    Warehouse,
    Worn,
)
from workshop.policies.variation import HUGE, Fields, Variation, merged


class ShopUndetermined(Record):
    """The case can't be decided: this field has no value (`section.field`), or no section decides."""

    missing: str


class ShopFindings(Record):
    """All findings, section by section in the Handbook's order; those of Part Two (13 to 17) come before 5 to 11."""

    stop: OutOfScope | None = None
    redirected: Redirected | None = None
    batch: Batch | None = None
    promise: Promise | None = None
    household: Household | None = None
    contents: Contents | None = None
    takeover: Takeover | None = None
    linked: Linked | None = None
    forwarded: Forwarded | None = None
    worn: Worn | None = None
    possession: Possession | None = None
    warehouse: Warehouse | None = None
    parcel: Parcel | None = None
    returns: Returns | None = None
    account: Account | None = None
    goods: Goods | None = None


class ShopPolicy(Record):
    """A task's `policy` field."""

    given: RequestSays
    start: Fields = {}
    """What the order's own pages show and a later section needs: section to field to value."""
    found: dict[str, Fields]
    """Fact id to section to field to value."""


def decide(policy: Mapping[str, Any]) -> PolicyVerdict | ShopUndetermined:
    """The decision that the Handbook demands. Raises ValidationError on unknown sections or fields."""
    case = ShopPolicy.model_validate(policy)
    known = merged((case.start, *case.found.values()))
    known.setdefault("parcel" if case.given.claim == "not_received" else "goods", {})
    findings = ShopFindings.model_validate(known)
    sections = [section for name in ShopFindings.model_fields if (section := getattr(findings, name)) is not None]
    try:
        verdicts = (section.apply(case.given) for section in sections)
        return next((v for v in verdicts if v is not None), None) or ShopUndetermined(missing="goods.days")
    except UnknownShopFact as unknown:
        return ShopUndetermined(missing=str(unknown))


def needless(policy: Mapping[str, Any], ordered: date | None = None) -> list[str]:
    """The facts that can't change the verdict, whatever their values.

    No parcel left or arrived before the day of its order (`ordered`; None: long ago), nor after NOW, and none left
    after the carrier's last scan.
    """
    days = (NOW.date() - ordered).days if ordered else HUGE
    parcels = [settles["parcel"] for settles in policy["found"].values() if "parcel" in settles]
    last_scan = max((parcel.get("last_scan", 0) for parcel in parcels), default=0)
    bounds = {"goods.days": (0, days), "parcel.days": (last_scan, _working_days(days))}
    return Variation(decide, ShopFindings, bounds).needless(policy)


def _working_days(days: int) -> int:
    """The number of working days (Monday to Friday) among the last `days` days, today included."""
    weeks, days_left = divmod(days, 7)
    return 5 * weeks + sum((NOW - timedelta(days=back)).weekday() < 5 for back in range(days_left))
