"""Display: how pages show money, times, states and numbers."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

STATUSES = {
    "pending": "Pending",
    "pending_payment": "Pending Payment",
    "processing": "Processing",
    "holded": "On Hold",
    "complete": "Complete",
    "closed": "Closed",
    "canceled": "Canceled",
    "fraud": "Suspected Fraud",
    "payment_review": "Payment Review",
}
NOTIFIED = {0: "Not Notified", 1: "Customer Notified", 2: "Notification Not Applicable"}
STATES = {
    "AL": "Alabama", "AK": "Alaska", "AZ": "Arizona", "AR": "Arkansas", "CA": "California", "CO": "Colorado",
    "CT": "Connecticut", "DE": "Delaware", "DC": "District of Columbia", "FL": "Florida", "GA": "Georgia",
    "HI": "Hawaii", "ID": "Idaho", "IL": "Illinois", "IN": "Indiana", "IA": "Iowa", "KS": "Kansas", "KY": "Kentucky",
    "LA": "Louisiana", "ME": "Maine", "MD": "Maryland", "MA": "Massachusetts", "MI": "Michigan", "MN": "Minnesota",
    "MS": "Mississippi", "MO": "Missouri", "MT": "Montana", "NE": "Nebraska", "NV": "Nevada", "NH": "New Hampshire",
    "NJ": "New Jersey", "NM": "New Mexico", "NY": "New York", "NC": "North Carolina", "ND": "North Dakota",
    "OH": "Ohio", "OK": "Oklahoma", "OR": "Oregon", "PA": "Pennsylvania", "RI": "Rhode Island",
    "SC": "South Carolina", "SD": "South Dakota", "TN": "Tennessee", "TX": "Texas", "UT": "Utah", "VT": "Vermont",
    "VA": "Virginia", "WA": "Washington", "WV": "West Virginia", "WI": "Wisconsin", "WY": "Wyoming",
}  # fmt: skip


def money(amount: float) -> str:
    """`$1,204.50`, with a leading minus if negative."""
    return f"-${-amount:,.2f}" if amount < 0 else f"${amount:,.2f}"


def _parse(stamp: str) -> datetime:
    return datetime.strptime(stamp, "%Y-%m-%d %H:%M:%S")


def day(stamp: str) -> str:
    """`Mar 4, 2026`."""
    moment = _parse(stamp)
    return f"{moment:%b} {moment.day}, {moment.year}"


def clock(stamp: str) -> str:
    """`9:42:17 AM`."""
    moment = _parse(stamp)
    return f"{moment.hour % 12 or 12}:{moment:%M:%S} {'AM' if moment.hour < 12 else 'PM'}"


def moment(stamp: str) -> str:
    """`Mar 4, 2026, 9:42:17 AM`."""
    return f"{day(stamp)}, {clock(stamp)}"


def birthday(iso: str) -> str:
    """`Mar 4, 1981` from an ISO date."""
    return day(f"{iso} 00:00:00")


def percent(rate: float) -> str:
    """`7.5%`."""
    return f"{rate:g}%"


def state(code: str) -> str:
    """A state's name."""
    return STATES.get(code, code)


def status(code: str) -> str:
    """An order status as its label."""
    return STATUSES.get(code, code)


def notified(code: int) -> str:
    """Whether the customer was notified of a comment, as its label."""
    return NOTIFIED[code]


FILTERS: dict[str, Callable[..., Any]] = {
    filter.__name__: filter for filter in (money, day, clock, moment, birthday, percent, state, status, notified)
}
