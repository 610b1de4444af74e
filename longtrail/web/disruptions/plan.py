"""Disruption plan: which disruptions a seed gives to a host and its pages. All choices are
made by hashes, so equal visits get equal disruptions.
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
"""Layouts, as named by the classes of `disruptions.css`. Each host has one; `plain` changes nothing."""
SLOW_SHARE = 0.15
"""Share of pages that are slow."""
SLOWEST = 1.5
"""The longest delay of a page, in seconds."""
OFFER_AFTER = (2, 4)
"""The first and the last page number on a host at which an interstitial may appear."""


class DisruptionNotice(Record):
    """A cookie banner or an interstitial: its text, and the buttons that close it."""

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
    """All texts of disruptions."""

    cookies: Annotated[tuple[DisruptionNotice, ...], Field(min_length=1)]
    offers: Annotated[tuple[DisruptionNotice, ...], Field(min_length=1)]
    ads: Annotated[tuple[Ad, ...], Field(min_length=1)]


@cache
def almanac() -> DisruptionPlan:
    """The texts that are part of Longtrail. Raises DataError."""
    return validate(TypeAdapter(DisruptionPlan), read_yaml(FILE), FILE)


class Forecast:
    """The disruptions of one seed."""

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
        """The advertisement on a page; it may differ at every visit."""
        return self._one("ad", almanac().ads, host, path, str(page))

    def delay(self, host: str, path: str, page: int) -> float:
        """Delay of a page in seconds."""
        drawn = self._share("slow", host, path, str(page))
        return 0.0 if drawn >= SLOW_SHARE else round(SLOWEST * (0.2 + 0.8 * drawn / SLOW_SHARE), 3)

    def layout(self, host: str) -> str:
        """The host's layout."""
        return self._one("layout", LAYOUTS, host)

    def _share(self, *what: str) -> float:
        """A number in [0, 1) that depends only on the seed and these words."""
        digest = hashlib.sha256("\n".join([str(self._seed), *what]).encode()).digest()
        return int.from_bytes(digest[:6]) / 2**48

    def _one(self, what: str, among: tuple[T, ...], *where: str) -> T:
        return among[int(self._share(what, *where) * len(among))]
