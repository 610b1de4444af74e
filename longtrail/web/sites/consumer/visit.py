"""Visit: one request to one page of a replica. It gives templates everything that depends on the episode: favourites,
cart, forms (rows in the world's SQLite), departures of timetables."""

import json
import re
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any
from urllib.parse import quote

from longtrail.records.site_reports import Listed
from longtrail.web.request_values import query_pairs
from longtrail.web.sites.consumer.blocks import Link, Selection, Timetable
from longtrail.web.sites.consumer.items import Item, clock_time
from longtrail.web.sites.consumer.page import Fee, Page
from longtrail.web.sites.consumer.sites import PageAddress, Replica
from longtrail.web.world import World


class Params:
    """Immutable; empty values are left out as if the field had not been sent."""

    def __init__(self, path: str, pairs: Iterable[tuple[str, str]]) -> None:
        self.path = path
        self.pairs = tuple((name, value.strip()) for name, value in pairs if value.strip())

    @classmethod
    def parse(cls, path: str, query: str) -> "Params":
        """From the raw query of a request."""
        return cls(path, query_pairs(query))

    def get(self, name: str, default: str = "") -> str:
        """The first value of a parameter."""
        return next((value for key, value in self.pairs if key == name), default)

    def all(self, name: str) -> tuple[str, ...]:
        """Every value of a parameter."""
        return tuple(value for key, value in self.pairs if key == name)

    def without(self, *names: str) -> "Params":
        """The same without these parameters."""
        return Params(self.path, [(key, value) for key, value in self.pairs if key not in names])

    def put(self, name: str, *values: str) -> "Params":
        """The same with a parameter's values replaced."""
        return Params(self.path, [*self.without(name).pairs, *((name, value) for value in values)])

    @property
    def url(self) -> str:
        """Path and query."""
        query = "&".join(f"{quote(key, safe='[]')}={quote(value, safe=',:')}" for key, value in self.pairs)
        return f"{self.path}?{query}" if query else self.path


SCHEMA = """
CREATE TABLE favourites (id INTEGER PRIMARY KEY, host TEXT, item TEXT, UNIQUE (host, item));
CREATE TABLE cart (id INTEGER PRIMARY KEY, host TEXT, item TEXT, quantity INTEGER, UNIQUE (host, item));
CREATE TABLE drafts (id INTEGER PRIMARY KEY, host TEXT, form TEXT, fields TEXT, UNIQUE (host, form));
CREATE TABLE submissions (id INTEGER PRIMARY KEY, host TEXT, form TEXT, fields TEXT);
"""
MOST = 99
"""The largest quantity of one item in a cart."""


class SiteState:
    """One host's rows in a world's database."""

    def __init__(self, db: sqlite3.Connection, host: str) -> None:
        self.db, self.host = db, host

    def favourites(self) -> list[str]:
        """Keys of the favourite items, oldest first."""
        rows = self.db.execute("SELECT item FROM favourites WHERE host = ? ORDER BY id", (self.host,))
        return [row["item"] for row in rows]

    def mark(self, item: str, on: bool) -> None:
        """Make an item a favourite, or stop it being one."""
        if on:
            self.db.execute("INSERT OR IGNORE INTO favourites (host, item) VALUES (?, ?)", (self.host, item))
        else:
            self.db.execute("DELETE FROM favourites WHERE host = ? AND item = ?", (self.host, item))

    def cart(self) -> dict[str, int]:
        """Item's key -> quantity, in the order they were added."""
        rows = self.db.execute("SELECT item, quantity FROM cart WHERE host = ? ORDER BY id", (self.host,))
        return {row["item"]: row["quantity"] for row in rows}

    def add(self, item: str, quantity: int) -> None:
        """Add a quantity of an item to the cart."""
        self.db.execute(
            "INSERT INTO cart (host, item, quantity) VALUES (?, ?, min(?, ?))"
            " ON CONFLICT (host, item) DO UPDATE SET quantity = min(quantity + excluded.quantity, ?)",
            (self.host, item, quantity, MOST, MOST),
        )

    def set(self, item: str, quantity: int) -> None:
        """Change the quantity of an item in the cart; 0 removes it."""
        if quantity > 0:
            self.db.execute(
                "UPDATE cart SET quantity = min(?, ?) WHERE host = ? AND item = ?", (quantity, MOST, self.host, item)
            )
        else:
            self.db.execute("DELETE FROM cart WHERE host = ? AND item = ?", (self.host, item))

    def empty_cart(self) -> None:
        """Empty the cart."""
        self.db.execute("DELETE FROM cart WHERE host = ?", (self.host,))

    def draft(self, form: str) -> dict[str, str]:
        """The values entered on a form's earlier screens."""
        row = self.db.execute("SELECT fields FROM drafts WHERE host = ? AND form = ?", (self.host, form)).fetchone()
        return _fields(row)

    def save_draft(self, form: str, fields: dict[str, str]) -> None:
        """Store the values entered so far."""
        self.db.execute(
            "INSERT INTO drafts (host, form, fields) VALUES (?, ?, ?)"
            " ON CONFLICT (host, form) DO UPDATE SET fields = excluded.fields",
            (self.host, form, json.dumps(fields, sort_keys=True)),
        )

    def submit(self, form: str, fields: dict[str, str]) -> int:
        """Store a completed form. Returns the submission's number."""
        self.db.execute("DELETE FROM drafts WHERE host = ? AND form = ?", (self.host, form))
        cursor = self.db.execute(
            "INSERT INTO submissions (host, form, fields) VALUES (?, ?, ?)",
            (self.host, form, json.dumps(fields, sort_keys=True)),
        )
        return int(cursor.lastrowid or 0)

    def submission(self, form: str, number: int) -> dict[str, str]:
        """The submitted values, or None."""
        query = "SELECT fields FROM submissions WHERE host = ? AND form = ? AND id = ?"
        return _fields(self.db.execute(query, (self.host, form, number)).fetchone())


def _fields(row: Any) -> dict[str, str]:
    return dict(json.loads(row["fields"])) if row is not None else {}


_PARAM = re.compile(r"\{\?([^}]+)\}")


@dataclass(frozen=True, slots=True)
class Times:
    """The next trips (there may be none late at night), and when each stops at each stop."""

    rows: tuple[tuple[Item, tuple[str, ...]], ...]
    trips: int
    first: str
    last: str
    every: str


class ReplicaVisit:
    """A page in this episode's current state."""

    def __init__(self, replica: Replica, address: PageAddress, params: Params, world: World) -> None:
        self.replica, self.address, self.params = replica, address, params
        self.spec = replica.spec
        self.now: datetime = world.now
        self.listed: Listed | None = None
        """The items that the page lists; set by rendering."""
        self._world = world

    @property
    def page(self) -> Page:
        return self.address.page

    @property
    def item(self) -> Item | None:
        return self.address.item

    @cached_property
    def state(self) -> SiteState:
        """This host's state; the world's database is copied only if a page needs it."""
        return SiteState(self._world.db("consumer"), self.replica.host)

    @cached_property
    def favourites(self) -> frozenset[str]:
        """Keys of the favourite items."""
        return frozenset(self.state.favourites()) if self.replica.favourites else frozenset()

    @cached_property
    def cart(self) -> dict[str, int]:
        """Key -> quantity."""
        return self.state.cart() if self.replica.cart else {}

    def fill(self, text: str) -> str:
        """A text with the fields of the page's item."""
        return self.address.fill(text)

    def to(self, address: str) -> str:
        """An address with the fields of the page's item, and with parameters of the request as `{?name}`."""
        return self.address.path_fill(_PARAM.sub(lambda match: quote(self.params.get(match[1])), address))

    def select(self, selection: Selection) -> list[Item]:
        """Items of a catalogue."""
        return self.replica.shelves[selection.catalogue].select(selection, self.item, self.now)

    def others(self, selection: Selection) -> list[Item]:
        """Items of a catalogue except the page's own item."""
        return self.replica.shelves[selection.catalogue].select(selection, self.item, self.now, self.item)

    def times(self, block: Timetable) -> Times:
        """The next departures of a timetable."""
        return times(block, self.select(block.stops), self.item, self.now)

    def counted(self, link: Link) -> int:
        """The number of items of a link to the cart or the favourites."""
        if self.replica.cart and link.to == self.replica.cart.path:
            return sum(self.cart.values())
        return len(self.favourites)

    def is_here(self, address: str) -> bool:
        """Whether this is the address of the page itself."""
        return self.to(address).partition("?")[0] == self.address.path

    @cached_property
    def lines(self) -> list[tuple[Item, int, float]]:
        """The cart: item, quantity, amount."""
        cart_lines = []
        for key, quantity in self.cart.items():
            item = self.replica.item(key)
            if item is not None:
                cart_lines.append((item, quantity, round(quantity * price(item), 2)))
        return cart_lines

    @property
    def subtotal(self) -> float:
        """The price of all items in the cart."""
        return round(sum(amount for _, _, amount in self.lines), 2)

    def charged(self, fees: Iterable[Fee]) -> list[tuple[str, float]]:
        """The fees on the cart, in the order of the file."""
        units = sum(quantity for _, quantity, _ in self.lines)
        return [(fee.label, _charge(fee, self.subtotal, units)) for fee in fees]


def price(item: Item) -> float:
    """The price of one piece of an item: the field that its card or its catalogue defines as price."""
    return float(item[item.shelf.catalogue.card.price or "price"] or 0)


def _charge(fee: Fee, subtotal: float, units: int) -> float:
    if fee.free_from is not None and subtotal >= fee.free_from:
        return 0.0
    return round((fee.amount + subtotal * fee.percent / 100) * (units if fee.each else 1), 2)


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
