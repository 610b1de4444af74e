"""Listing: a catalogue filtered by words and facets, sorted and divided into pages, with the links that change each."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from longtrail.records.site_reports import Listed
from longtrail.web.request_values import whole_number
from longtrail.web.sites.consumer import finding
from longtrail.web.sites.consumer.blocks import Range
from longtrail.web.sites.consumer.items import Item, Shelf, keys, ordered, shown, within
from longtrail.web.sites.consumer.page import Facet, ListingPage, Option, Paging
from longtrail.web.sites.consumer.visit import Params
from longtrail.web.sites.consumer.words import fold

Test = Callable[[Item], bool]


@dataclass(frozen=True, slots=True)
class Choice:
    """An option as a page shows it."""

    label: str
    value: str
    url: str
    chosen: bool
    count: int = 0


class Pager:
    """One page of a list: where it starts, and the links to neighbouring pages."""

    def __init__(self, paging: Paging, params: Params, total: int) -> None:
        self._paging, self._params = paging, params
        last = max(1, -(-total // paging.size))
        asked = whole_number(params.get(paging.param))
        number = min(max(1, asked // paging.size + 1 if paging.offset else asked), last)
        self.start = (number - 1) * paging.size
        near = [page for page in range(1, last + 1) if abs(page - number) <= 2 or page in (1, last)]
        choices = tuple(Choice(str(page), str(page), self._url(page), page == number) for page in near)
        self.pages = choices if last > 1 else ()
        self.previous = self._url(number - 1) if number > 1 else ""
        self.next = self._url(number + 1) if number < last else ""

    def _url(self, page: int) -> str:
        first = self._params.without(self._paging.param)
        value = (page - 1) * self._paging.size if self._paging.offset else page
        return first.url if page == 1 else first.put(self._paging.param, str(value)).url


class FacetView:
    """A facet with its options, or with the texts of its fields."""

    def __init__(self, facet: Facet, params: Params, shelf: Shelf, now: datetime) -> None:
        self.facet = facet
        self.params = tuple(facet.param.split(","))
        self.choices: tuple[Choice, ...] = ()
        is_typed = facet.style in ("range", "words")
        self.texts = tuple(params.get(name) for name in self.params) if is_typed else ()
        chosen = params.all(facet.param)
        self._chosen = chosen if facet.several else chosen[:1]
        self._options = () if is_typed else _options(facet, shelf)
        self._now = now
        self.fits = self._test(shelf)
        """Whether an item has what is chosen."""

    def _test(self, shelf: Shelf) -> Test:
        facet = self.facet
        if facet.style == "range":
            least, most = (_number(text) for text in self.texts)
            if least is not None or most is not None:
                return within(facet.field, Range(least=least, most=most), self._now)
        elif self._chosen and facet.field:
            if facet.style == "words":
                holding = finding.holding(shelf, tuple(facet.field.split()), self._chosen[0])
                return lambda item: item in holding
            options = {option.value: option for option in self._options}
            chosen = [options.get(value, Option(value=value)) for value in self._chosen]
            tests = [_option_test(facet.field, option, self._now) for option in chosen]
            return lambda item: any(test(item) for test in tests)
        return lambda _item: True

    def offer(self, candidates: list[Item], params: Params) -> None:
        """Make the choices, with the number of candidates that each has."""
        choices = []
        for option in self._options:
            test = _option_test(self.facet.field, option, self._now)
            count, on = sum(map(test, candidates)), option.value in self._chosen
            if not count and not on and not self.facet.options:
                continue
            values = [value for value in self._chosen if value != option.value] if on or self.facet.several else []
            changed = params.put(self.facet.param, *values, *(() if on else (option.value,)))
            url = self.facet.path.replace("{value}", option.value) if self.facet.path else changed.url
            choices.append(Choice(option.label or option.value, option.value, url, on, count))
        self.choices = tuple(choices)


class Listing:
    """The listing at an address, as its template shows it."""

    def __init__(self, page: ListingPage, shelf: Shelf, of: Item | None, params: Params, now: datetime) -> None:
        pool = shelf.select(page.items, of, now)
        self.query = params.get(page.query) if page.query else ""
        self.asked = bool(self.query) or not page.needs_query
        """False: the listing shows nothing until words are entered."""
        found, self.instead = finding.items(page, shelf, pool, self.query) if self.query else (pool, "")
        found = found if self.asked else []
        self.params = params.without(page.paging.param)
        self.instead_url = self.params.put(page.query, self.instead).url
        """Leads to the corrected query, if its spelling was corrected."""
        self.facets = [FacetView(facet, params, shelf, now) for facet in page.facets]
        for facet in self.facets:
            others = [other for other in self.facets if other is not facet]
            facet.offer([item for item in found if all(other.fits(item) for other in others)], self.params)
        selected = [item for item in found if all(facet.fits(item) for facet in self.facets)]
        first = page.sorts[0] if page.sorts else None
        sort = next((order for order in page.sorts if order.value == params.get(page.sort_param)), first)
        if sort and sort.by:
            selected = ordered(selected, sort.by)
        self.sorts = [
            Choice(order.label, order.value, self.params.put(page.sort_param, order.value).url, order is sort)
            for order in page.sorts
        ]
        self.total = len(selected)
        self.pager = Pager(page.paging, params, self.total)
        self.items = selected[self.pager.start : self.pager.start + page.paging.size]
        self.listed = Listed(items=tuple(item.key for item in selected), order=sort.by if sort else "")
        """All matching items, on all pages, and their order."""

    @property
    def in_form(self) -> frozenset[str]:
        """Parameters that the facets' form itself sends."""
        return frozenset(name for facet in self.facets if facet.facet.style != "links" for name in facet.params)

    @property
    def chips(self) -> list[Choice]:
        """The active filters, each with the address without it."""
        linked = [facet for facet in self.facets if not facet.facet.path]
        chips = [choice for facet in linked for choice in facet.choices if choice.chosen]
        for facet in self.facets:
            if any(facet.texts):
                label = f"{facet.facet.label}: {' to '.join(text or 'any' for text in facet.texts)}"
                chips.append(Choice(label, "", self.params.without(*facet.params).url, True))
        return chips

    @property
    def clear(self) -> str:
        """The address without filters."""
        return self.params.without(*(name for facet in self.facets for name in facet.params)).url


def _option_test(field: str, option: Option, now: datetime) -> Test:
    if isinstance(option.match, dict):
        return within(field, Range.model_validate(option.match), now)
    match = option.value if option.match is None else option.match
    wanted = keys(match)
    if wanted == {"*"}:
        return lambda _item: True
    return lambda item: bool(wanted & keys(item[field]))


def _options(facet: Facet, shelf: Shelf) -> tuple[Option, ...]:
    """The options from the data file, or the values that occur, by label."""
    if facet.options:
        return facet.options
    attribute = shelf.attribute(facet.field)
    occurring: dict[str, str] = {}
    for item in shelf.items:
        value: Any = item[facet.field]
        for part in value if isinstance(value, list) else [value]:
            if part is not None:
                label = item.show(facet.field) if attribute.type in ("ref", "flag") else str(part)
                if attribute.type in ("money", "rating", "number"):
                    label = shown(part, attribute)
                occurring[str(part).lower() if isinstance(part, bool) else str(part)] = label
    return tuple(
        Option(value=value, label=label) for value, label in sorted(occurring.items(), key=lambda pair: fold(pair[1]))
    )


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", "").replace("$", "")) if text else None
    except ValueError:
        return None
