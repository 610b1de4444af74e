"""Display: how pages show money, times, states and numbers."""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from longtrail.yaml_file import read

NOTIFIED = {0: "Not Notified", 1: "Customer Notified", 2: "Notification Not Applicable"}


@cache
def labels() -> Mapping[str, Mapping[str, str]]:
    """Kind (`statuses`, `states` ...) -> value in the database -> its label. Raises DataError."""
    return read(TypeAdapter(dict[str, dict[str, str]]), Path(__file__).with_name("labels.yaml"))


def money(amount: float) -> str:
    """`$1,204.50`, with a leading minus if negative."""
    return f"-${-amount:,.2f}" if amount < 0 else f"${amount:,.2f}"


def day(stamp: str) -> str:
    """`Mar 4, 2026`, from a date or a time."""
    moment = datetime.fromisoformat(stamp)
    return f"{moment:%b} {moment.day}, {moment.year}"


def weekday(stamp: str) -> str:
    """`Wed Mar 4`."""
    moment = datetime.fromisoformat(stamp)
    return f"{moment:%a} {moment:%b} {moment.day}"


def clock(stamp: str) -> str:
    """`9:42:17 AM`."""
    moment = datetime.fromisoformat(stamp)
    return f"{moment.hour % 12 or 12}:{moment:%M:%S} {'AM' if moment.hour < 12 else 'PM'}"


def moment(stamp: str) -> str:
    """`Mar 4, 2026, 9:42:17 AM`."""
    return f"{day(stamp)}, {clock(stamp)}"


def percent(rate: float) -> str:
    """`7.5%`."""
    return f"{rate:g}%"


def state(code: str) -> str:
    """A state's name."""
    return labels()["states"].get(code, code)


def status(code: str) -> str:
    """An order status as its label."""
    return labels()["statuses"].get(code, code)


def notified(code: int) -> str:
    """Whether the customer was notified of a comment, as its label."""
    return NOTIFIED[code]


FILTERS: dict[str, Callable[..., Any]] = {
    filter.__name__: filter for filter in (money, day, weekday, clock, moment, percent, state, status, notified)
} | {"parsed": json.loads}
