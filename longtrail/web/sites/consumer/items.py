"""Items: a catalogue's entries, used by the pages. Immutable, shared by all worlds."""

import datetime
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any

from longtrail.clock import NOW
from longtrail.web.sites.consumer.blocks import Range, Selection, Where
from longtrail.web.sites.consumer.model import IMPLICIT, Attribute, Catalogue
from longtrail.web.sites.consumer.words import fold, slug

_FIELD = re.compile(r"\{([a-z_][a-z0-9_.]*)\}")


def anchor(key: str) -> str:
    """The id of an item's place in a page; `key` is `Item.key`."""
    return key.replace("/", "-")


class Item:
    """One entry. `item["venue.city"]` follows references; `show` formats a field for people."""

    def __init__(self, shelf: "Shelf", values: Mapping[str, Any]) -> None:
        self.shelf = shelf
        self._values = {
            key: value.isoformat() if isinstance(value, datetime.date) else value for key, value in values.items()
        }
        self.id = str(values["id"])
        self.name = str(values["name"])

    @cached_property
    def slug(self) -> str:
        """Its name in addresses."""
        return str(self._values.get("slug") or slug(self.fill(self.shelf.catalogue.slug, raw=True)))

    @property
    def key(self) -> str:
        """Its name in the site's state: `catalogue/id`."""
        return f"{self.shelf.name}/{self.id}"

    @property
    def anchor(self) -> str:
        """The id of its place in a page."""
        return anchor(self.key)

    @cached_property
    def url(self) -> str:
        """Address of its page, or an empty string."""
        return self.fill(self.shelf.catalogue.url, raw=True)

    @cached_property
    def sold_out(self) -> bool:
        """Whether it is currently unavailable."""
        return self in self.shelf.sold_out

    @cached_property
    def called(self) -> str:
        """Its name in the names of buttons."""
        return self.fill(self.shelf.catalogue.favourite_name)

    def __getitem__(self, field: str) -> Any:
        head, _, rest = field.partition(".")
        if rest:
            target = self.ref(head)
            return target[rest] if target is not None else None
        if head in ("id", "name", "slug", "url"):
            return getattr(self, head)
        if head not in self.shelf.fields:
            raise KeyError(f"{self.shelf.name} has no field {field!r}")
        return self._values.get(head)

    def ref(self, field: str) -> "Item | None":
        """The item that a reference field refers to."""
        value = self._values.get(field)
        return None if value is None else self.shelf.neighbours[self.shelf.fields[field].of].by_id[str(value)]

    def attribute(self, field: str) -> Attribute:
        """The declaration of a (dotted) field."""
        return self.shelf.attribute(field)

    def show(self, field: str) -> str:
        """A field's value as text: money with its currency, dates spelt out, lists joined, references by name."""
        head, _, rest = field.partition(".")
        if rest or (head in self.shelf.fields and self.shelf.fields[head].type == "ref"):
            target = self.ref(head)
            return target.show(rest or "name") if target is not None else ""
        return shown(self[field], self.attribute(field))

    def fill(self, text: str, raw: bool = False) -> str:
        """A text with its `{field}`s filled in; raw (as the data has them) for addresses and conditions."""
        if "{" not in text:
            return text
        return _FIELD.sub(lambda match: _raw(self[match[1]]) if raw else self.show(match[1]), text)


def _raw(value: Any) -> str:
    return "" if value is None else str(value)


def shown(value: Any, attribute: Attribute) -> str:
    """A value formatted for people."""
    if value is None:
        return ""
    match attribute.type:
        case "money":
            return money(value, whole=attribute.whole)
        case "number":
            return f"{value:,}" + (f" {attribute.unit}" if attribute.unit else "")
        case "rating":
            return f"{value:.1f}"
        case "date":
            return long_date(str(value))
        case "time":
            return clock_time(str(value))
        case "flag":
            return "Yes" if value else "No"
        case "list":
            return ", ".join(str(part) for part in value)
        case _:
            return str(value)


def money(value: float, *, whole: bool = False) -> str:
    """`$1,249.00`, in whole dollars `$1,249`, and `Free` for nothing."""
    return "Free" if value == 0 else f"${value:,.{0 if whole else 2}f}"


def long_date(iso: str) -> str:
    """`Sat, Mar 21, 2026`."""
    day = datetime.date.fromisoformat(iso[:10])
    return f"{day:%a}, {day:%b} {day.day}, {day.year}"


def clock_time(value: str) -> str:
    """`19:30` -> `7:30 PM`; hours from 24 on are the next day's."""
    hours, minutes = (int(part) for part in value.split(":"))
    return f"{hours % 12 or 12}:{minutes:02d} {'AM' if hours % 24 < 12 else 'PM'}"


class Shelf:
    """A catalogue with its items built, able to select and sort them."""

    def __init__(self, name: str, catalogue: Catalogue, neighbours: "Mapping[str, Shelf]") -> None:
        self.name, self.catalogue, self.neighbours = name, catalogue, neighbours
        self.fields = {**IMPLICIT, **catalogue.fields}
        self.items = tuple(Item(self, values) for values in self._values())
        self.by_id = {item.id: item for item in self.items}
        self._by_field: dict[str, dict[str, list[int]]] = {}

    def _values(self) -> Iterator[Mapping[str, Any]]:
        """The written items; with `across`, once for each item of the other catalogue (which must be defined before
        it)."""
        across = self.catalogue.across
        if across is None:
            yield from self.catalogue.items
            return
        for other in self.neighbours[across.of].items:
            for values in self.catalogue.items:
                amounts = {field: round(values[field] * other[of]) for field, of in across.factors.items()}
                yield {**values, **amounts, "id": f"{other.id}-{values['id']}", across.field: other.id}

    @cached_property
    def sold_out(self) -> frozenset[Item]:
        """The currently unavailable items."""
        return frozenset(self.where(self.catalogue.sold_out, None, NOW) if self.catalogue.sold_out else ())

    def attribute(self, field: str) -> Attribute:
        """The declaration of a (dotted) field. Raises KeyError."""
        head, _, rest = field.partition(".")
        if head not in self.fields:
            raise KeyError(f"{self.name} has no field {field!r}")
        return self.neighbours[self.fields[head].of].attribute(rest) if rest else self.fields[head]

    def select(
        self, selection: Selection, of: Item | None, now: datetime.datetime, without: Item | None = None
    ) -> list[Item]:
        """The selected items in order; texts in `where` are filled in from the page's item `of`."""
        selected = ordered(
            [item for item in self.where(selection.where, of, now) if item is not without], selection.sort
        )
        return selected[: selection.limit]

    def where(self, conditions: Where, of: Item | None, now: datetime.datetime) -> list[Item]:
        """The items that satisfy all conditions, in the order of the data."""
        places = set(range(len(self.items)))
        tests = []
        for field, wanted in conditions.items():
            if isinstance(wanted, Range):
                tests.append(within(field, wanted, now))
                continue
            parts = wanted if isinstance(wanted, tuple) else (wanted,)
            keys = {_key(of.fill(part, raw=True) if of and isinstance(part, str) else part) for part in parts}
            places &= {place for key in keys for place in self._places(field).get(key, ())}
        items = (self.items[at] for at in sorted(places))
        return [item for item in items if all(test(item) for test in tests)]

    def _places(self, field: str) -> dict[str, list[int]]:
        """Value of a field -> indices in `items`; cached, because the search engine's index needs it thousands of
        times."""
        if field not in self._by_field:
            places: dict[str, list[int]] = {}
            for at, item in enumerate(self.items):
                for key in keys(item[field]):
                    places.setdefault(key, []).append(at)
            self._by_field[field] = places
        return self._by_field[field]


def keys(value: Any) -> set[str]:
    """A value (or each of a list) as folded text for comparison."""
    if value is None:
        return set()
    return {_key(part) for part in value} if isinstance(value, list | tuple) else {_key(value)}


def _key(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else fold(str(value))


def within(field: str, bounds: Range, now: datetime.datetime) -> Callable[[Item], bool]:
    """The condition that a field is within bounds."""
    least, most, below = (
        now.date().isoformat() if bound == "now" else bound for bound in (bounds.least, bounds.most, bounds.below)
    )

    def test(item: Item) -> bool:
        value = item[field]
        return (
            value is not None
            and (least is None or value >= least)
            and (most is None or value <= most)
            and (below is None or value < below)
        )

    return test


def ordered(items: Iterable[Item], by: str) -> list[Item]:
    """Items sorted by a field (`-field`: descending; several separated by spaces); those without a value come last."""
    in_order = list(items)
    for part in reversed(by.split()):
        field, down = part.removeprefix("-"), part.startswith("-")
        full = [item for item in in_order if item[field] is not None]
        full.sort(key=lambda item, field=field: _rank(item[field]), reverse=down)  # type: ignore[misc]
        in_order = full + [item for item in in_order if item[field] is None]
    return in_order


def _rank(value: Any) -> Any:
    return fold(value) if isinstance(value, str) else value
