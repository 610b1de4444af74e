"""Disruption plan: which weather a seed brings to a host and its pages. Drawn by hashes: equal visits meet equal
weather.
"""

import hashlib
from functools import cache
from typing import Annotated, TypeVar

from pydantic import Field, TypeAdapter

from longtrail.paths import DATA
from longtrail.records.record import Record
from longtrail.yaml_file import read_yaml, validate

T = TypeVar("T")
FILE = DATA / "disruptions.yaml"
LAYOUTS = ("plain", "mirrored", "large", "two-columns", "narrow")
"""Changed layouts, of which a host has one: classes of `disruptions.css`."""
SLOW_SHARE = 0.15
"""Of pages that are slow to come."""
SLOWEST = 1.5
"""Seconds."""
OFFER_AFTER = (2, 4)
"""An interstitial comes on the page of this number on its host, at the earliest and the latest."""


class DisruptionNotice(Record):
    """A cookie banner or an interstitial: words, and the buttons that close it."""

    title: str
    text: str
    buttons: Annotated[tuple[str, ...], Field(min_length=1)]


class Ad(Record):
    """One advertisement, and the page that it leads to."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9-]+$")]
    brand: str
    line: str
    call: str
    page: str


class DisruptionPlan(Record):
    """Everything that weather says."""

    cookies: Annotated[tuple[DisruptionNotice, ...], Field(min_length=1)]
    offers: Annotated[tuple[DisruptionNotice, ...], Field(min_length=1)]
    ads: Annotated[tuple[Ad, ...], Field(min_length=1)]


@cache
def almanac() -> DisruptionPlan:
    """The written weather. Raises DataError."""
    return validate(TypeAdapter(DisruptionPlan), read_yaml(FILE), FILE)


class Forecast:
    """The weather of one seed."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def cookies(self, host: str) -> DisruptionNotice | None:
        """The host's cookie banner; two of three hosts have one."""
        return self._one("cookies", almanac().cookies, host) if self._share("banner", host) < 2 / 3 else None

    def offer(self, host: str, page: int) -> DisruptionNotice | None:
        """The interstitial that covers the host's page of this number (from 1); half of the hosts have one."""
        first, last = OFFER_AFTER
        due = first + int(self._share("due", host) * (last - first + 1))
        return self._one("offer", almanac().offers, host) if page == due and self._share("offers", host) < 0.5 else None

    def ad(self, host: str, path: str, page: int) -> Ad:
        """The advertisement on a page; another at every visit."""
        return self._one("ad", almanac().ads, host, path, str(page))

    def delay(self, host: str, path: str, page: int) -> float:
        """Seconds that a page keeps its visitor waiting."""
        drawn = self._share("slow", host, path, str(page))
        return 0.0 if drawn >= SLOW_SHARE else round(SLOWEST * (0.2 + 0.8 * drawn / SLOW_SHARE), 3)

    def layout(self, host: str) -> str:
        """The host's layout."""
        return self._one("layout", LAYOUTS, host)

    def _share(self, *what: str) -> float:
        """A number from 0 to below 1 that only depends on the seed and these words."""
        digest = hashlib.sha256("\n".join([str(self._seed), *what]).encode()).digest()
        return int.from_bytes(digest[:6]) / 2**48

    def _one(self, what: str, among: tuple[T, ...], *where: str) -> T:
        return among[int(self._share(what, *where) * len(among))]
