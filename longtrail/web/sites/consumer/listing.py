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


@dataclass(frozen=True, slots=True)
class FacetView:
    """A facet with its options, or with the texts of its fields."""

    facet: Facet
    choices: tuple[Choice, ...] = ()
    texts: tuple[str, ...] = ()

    @property
    def params(self) -> tuple[str, ...]:
        return tuple(self.facet.param.split(","))


@dataclass(frozen=True, slots=True)
class ListingView:
    """All data of a listing's template."""

    items: tuple[Item, ...]
    total: int
    facets: tuple[FacetView, ...]
    sorts: tuple[Choice, ...]
    pages: tuple[Choice, ...]
    previous: str
    next: str
    query: str
    instead: str
    """The corrected query, if its spelling was corrected."""
    instead_url: str
    chips: tuple[Choice, ...]
    """The active filters, each with the address without it."""
    clear: str
    params: Params
    asked: bool
    """False: the listing shows nothing until words are entered."""
    listed: Listed
    """All matching items, on all pages, and their order."""

    @property
    def in_form(self) -> frozenset[str]:
        """Parameters that the facets' form itself sends."""
        facet_params = {name for view in self.facets if view.facet.style != "links" for name in view.params}
        return frozenset(facet_params)


def view(page: ListingPage, shelf: Shelf, of: Item | None, params: Params, now: datetime) -> ListingView:
    """The listing at this address."""
    pool = shelf.select(page.items, of, now)
    query = params.get(page.query) if page.query else ""
    is_search = bool(query) or not page.needs_query
    scored, instead = finding.items(page, shelf, pool, query) if query else (pool, "")
    facets = [(facet, _chosen(facet, params)) for facet in page.facets]
    tests = [_test(facet, chosen, params, shelf, now) for facet, chosen in facets]
    selected = [item for item in scored if all(test is None or test(item) for test in tests)] if is_search else []
    paged = params.without(page.paging.param)
    views = []
    for index, (facet, chosen) in enumerate(facets):
        others = [test for at, test in enumerate(tests) if at != index and test is not None]
        candidates = [item for item in scored if all(test(item) for test in others)] if is_search else []
        views.append(_facet_view(facet, chosen, paged, candidates, shelf, now))
    sort = next(
        (order for order in page.sorts if order.value == params.get(page.sort_param)),
        page.sorts[0] if page.sorts else None,
    )
    if sort and sort.by:
        selected = ordered(selected, sort.by)
    sorts = tuple(
        Choice(order.label, order.value, paged.put(page.sort_param, order.value).url, order is sort)
        for order in page.sorts
    )
    start, pages, previous, following = cut(page.paging, params, len(selected))
    return ListingView(
        items=tuple(selected[start : start + page.paging.size]),
        total=len(selected),
        facets=tuple(views),
        sorts=sorts,
        pages=pages,
        previous=previous,
        next=following,
        query=query,
        instead=instead,
        instead_url=paged.put(page.query, instead).url,
        chips=_chips(views, paged),
        clear=paged.without(*(name for view in views for name in view.params)).url,
        params=paged,
        asked=is_search,
        listed=Listed(items=tuple(item.key for item in selected), order=sort.by if sort else ""),
    )


def _chosen(facet: Facet, params: Params) -> tuple[str, ...]:
    chosen = params.all(facet.param)
    return chosen if facet.several else chosen[:1]


def _test(facet: Facet, chosen: tuple[str, ...], params: Params, shelf: Shelf, now: datetime) -> Test | None:
    if facet.style == "range":
        least, most = (_number(params.get(name)) for name in facet.param.split(","))
        return (
            within(facet.field, Range(least=least, most=most), now) if least is not None or most is not None else None
        )
    if not chosen or not facet.field:
        return None
    if facet.style == "words":
        holding = finding.holding(shelf, tuple(facet.field.split()), chosen[0])
        return lambda item: item in holding
    options = {option.value: option for option in _options(facet, shelf)}
    tests = [_option_test(facet.field, options.get(value, Option(value=value)), now) for value in chosen]
    return lambda item: any(test(item) for test in tests)


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


def _facet_view(
    facet: Facet, chosen: tuple[str, ...], params: Params, candidates: list[Item], shelf: Shelf, now: datetime
) -> FacetView:
    if facet.style in ("range", "words"):
        return FacetView(facet, texts=tuple(params.get(name) for name in facet.param.split(",")))
    choices = []
    for option in _options(facet, shelf):
        test = _option_test(facet.field, option, now)
        count, on = sum(map(test, candidates)), option.value in chosen
        if not count and not on and not facet.options:
            continue
        values = [value for value in chosen if value != option.value] if on or facet.several else []
        changed = params.put(facet.param, *values, *(() if on else (option.value,)))
        url = facet.path.replace("{value}", option.value) if facet.path else changed.url
        choices.append(Choice(option.label or option.value, option.value, url, on, count))
    return FacetView(facet, tuple(choices))


def _chips(views: list[FacetView], params: Params) -> tuple[Choice, ...]:
    chips = [
        Choice(choice.label, choice.value, choice.url, True)
        for facet_view in views
        for choice in facet_view.choices
        if choice.chosen and not facet_view.facet.path
    ]
    for facet_view in views:
        if any(facet_view.texts):
            label = f"{facet_view.facet.label}: {' to '.join(text or 'any' for text in facet_view.texts)}"
            chips.append(Choice(label, "", params.without(*facet_view.params).url, True))
    return tuple(chips)


def _number(text: str) -> float | None:
    try:
        return float(text.replace(",", "").replace("$", "")) if text else None
    except ValueError:
        return None


def cut(paging: Paging, params: Params, total: int) -> tuple[int, tuple[Choice, ...], str, str]:
    """The index of the page's first item, and the links to neighbouring pages."""
    last = max(1, -(-total // paging.size))
    page_asked = whole_number(params.get(paging.param))
    number = min(max(1, page_asked // paging.size + 1 if paging.offset else page_asked), last)

    def url(target: int) -> str:
        value = (target - 1) * paging.size if paging.offset else target
        first = params.without(paging.param)
        return first.url if target == 1 else first.put(paging.param, str(value)).url

    near = [
        page_number for page_number in range(1, last + 1) if abs(page_number - number) <= 2 or page_number in (1, last)
    ]
    pages = (
        tuple(
            Choice(str(page_number), str(page_number), url(page_number), page_number == number) for page_number in near
        )
        if last > 1
        else ()
    )
    return (
        (number - 1) * paging.size,
        pages,
        url(number - 1) if number > 1 else "",
        url(number + 1) if number < last else "",
    )
