"""Timetable: departures at every stop of a line, from its first and last trip and its headway."""

from dataclasses import dataclass
from datetime import datetime

from longtrail.web.sites.consumer.blocks import Timetable
from longtrail.web.sites.consumer.items import Item, clock_time


@dataclass(frozen=True, slots=True)
class Times:
    """The next trips (there may be none late at night), and when each stops at each stop."""

    rows: tuple[tuple[Item, tuple[str, ...]], ...]
    trips: int
    first: str
    last: str
    every: str


def times(block: Timetable, stops: list[Item], of: Item | None, now: datetime) -> Times:
    """The next trips after the world's time of day; `of`: the page's item, whose fields fill the block's texts."""
    start, until, headway = (of.fill(text, raw=True) if of else text for text in (block.first, block.last, block.every))
    line = list(reversed(stops)) if block.reverse else stops
    end = max((int(stop[block.minutes]) for stop in stops), default=0)
    first, last = _minutes(start), _minutes(until)
    today = now.hour * 60 + now.minute
    starts = [trip for trip in range(first, last + 1, int(headway)) if trip >= today][: block.show]
    rows = []
    for stop in line:
        offset = int(stop[block.minutes])
        offset = end - offset if block.reverse else offset
        rows.append((stop, tuple(_clock(trip + offset) for trip in starts)))
    return Times(tuple(rows), len(starts), _clock(first), _clock(last), headway)


def _minutes(text: str) -> int:
    hours, minutes = text.split(":")
    return int(hours) * 60 + int(minutes)


def _clock(minutes: int) -> str:
    return clock_time(f"{minutes // 60}:{minutes % 60:02d}")
