"""Sources: which delivered pages an agent means when it names a page by its address or a record's number."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from longtrail.checks.page_names import page_key
from longtrail.checks.visits import canonical
from longtrail.scoring.shown_pages import ShownPage
from longtrail.text.folding import squeeze

_ADDRESS = re.compile(
    r"(?:https?://|(?:[\w-]{1,60}\.){1,5}(?:test|com|org|net|gov|io)/)[^\s<>\"'),;]*"
    r"|(?<![\w.])/[\w%~-]+[^\s<>\"'),;]*"
)
_KINDS = {
    "credit memo": "creditmemo",
    "memo": "creditmemo",
    "account": "customer",
    "submission": "forum:submission",
    "post": "forum:submission",
    "thread": "forum:submission",
    "picture": "image",
    **{kind: kind for kind in ("order", "invoice", "shipment", "creditmemo", "customer", "product", "review", "image")},
}
"""The names of kinds of pages -> the beginning of their keys."""
_RECORD = re.compile(
    rf"\b({'|'.join(sorted(_KINDS, key=len, reverse=True))})s?(?:'s)?\W{{1,3}}"
    r"(?:(?:page|history|record|tab|no|nos|number|id|view)\W{1,3})?#?0{0,9}(\d{1,12})(?![\d.]*\d)"
)
_FEWEST_DIGITS = {"forum:submission": 4, "image": 4}
"""`post 3` is the third post, not the post with that number."""
_SEARCH = re.compile(r"\bsearch|\bfilter|\bresults? (?:for|of)\b|\blog\b|\breport\b")
"""Words of lists: a list with a number in its name is not the record with that number."""
_TAB_WORDS = {"shipment": ("shipment",), "tracking": ("shipment",), "invoice": ("invoice",), "memo": ("creditmemo",)}


@dataclass(frozen=True)
class Source:
    """What the name of a page refers to."""

    pages: tuple[ShownPage, ...] = ()
    """The delivered pages that it names; none: no such page was delivered, or the name is unclear."""
    certain: bool = False
    """Whether the name allows no other page."""
    named: str = ""
    """The part of the name that identifies the page."""


def resolve(source: str, pages: Sequence[ShownPage]) -> Source:
    """The delivered pages that a source names. If it is certain but has no pages, the page was never delivered."""
    return _by_address(source, pages) or _by_number(source, pages) or Source()


def of_key(key: str, pages: Iterable[ShownPage]) -> list[ShownPage]:
    """The pages of a key. A page has the text of its tabs; a tab has the text of its page."""
    pages = list(pages)
    named = [page for page in pages if any(page_key == key or page_key.startswith(f"{key}/") for page_key in page.keys)]
    parent = key.rpartition("/")[0]
    if named and ":" in parent:
        named += [page for page in pages if parent in page.keys and page not in named]
    return named


def _by_address(source: str, pages: Sequence[ShownPage]) -> Source | None:
    addresses = [address.rstrip(".:") for address in _ADDRESS.findall(source)]
    complete = [address for address in addresses if "://" in address or address.count("/") > 2]
    if not addresses or (" " in source.strip() and not complete):
        return None  # "the log of /f/houseplants" names a forum
    host = next((page.url.split("/")[2] for page in pages if "://" in page.url), "")
    named: list[ShownPage] = []
    for address in addresses:
        url = address if "://" in address else f"https://{host}{address}" if address[0] == "/" else f"https://{address}"
        key = page_key(url) if _netloc(url) == host.lower() else None
        plain = _without_query(url)
        named += (of_key(key, pages) if key else []) or [
            page for page in pages if plain in (_without_query(page.url), _without_query(page.asked))
        ]
    return Source(tuple(dict.fromkeys(named)), certain=True, named=addresses[0])


def _netloc(url: str) -> str:
    try:
        return urlsplit(url).netloc.lower()
    except ValueError:
        return ""


def _without_query(url: str) -> str:
    return canonical(url).split("?")[0].rstrip("/") if url else ""


def _by_number(source: str, pages: Sequence[ShownPage]) -> Source | None:
    """`order 604`, `shipments tab of order #000000547`, `submission 160361`: every delivered page of that number that
    may be meant. An order's shipment, invoice and memo have pages of their own that people call by the order's number.
    """
    folded = squeeze(source)
    asked = [(_KINDS[word], number) for word, number in _RECORD.findall(folded)]
    asked = [(kind, number) for kind, number in asked if len(number) >= _FEWEST_DIGITS.get(kind, 1)]
    if _SEARCH.search(folded) or not asked:
        return None
    kinds = {kind for kind, _ in asked} | {
        kind for word, some in _TAB_WORDS.items() if re.search(rf"\b{word}", folded) for kind in some
    }
    numbers = {number for _, number in asked}
    named = [page for page in pages if any(_has_number(key, numbers, kinds) for key in page.keys)]
    return Source(tuple(dict.fromkeys(named)), certain=True, named=f"{asked[0][0]} {asked[0][1]}")


def _has_number(key: str, numbers: set[str], kinds: set[str]) -> bool:
    """Whether a page key is of one of these kinds and numbers."""
    if key.startswith("forum:submission/"):
        return "forum:submission" in kinds and key.split("/")[1] in numbers
    kind, _, record = key.partition(":")
    return kind in kinds and record.split("/")[0] in numbers
