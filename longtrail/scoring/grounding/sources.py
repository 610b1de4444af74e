"""Sources: which delivered pages an agent means when it names a page by its address, key, number, title or kind."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from longtrail.checks.page_names import page_key
from longtrail.scoring.grounding.ledger import PROMPT, Ledger, Reading
from longtrail.scoring.grounding.page_text import words
from longtrail.text.folding import squeeze

_ADDRESS = re.compile(
    r"(?:https?://|(?:[\w-]+\.)+(?:test|com|org|net|gov|io)/)[^\s<>\"'),;]*|(?<![\w.])/[\w%~-]+[^\s<>\"'),;]*"
)
_KEY = re.compile(
    r"\b(?:(?:order|invoice|shipment|creditmemo|customer|product|review|cms|image):[a-z0-9]+(?:/[a-z]+)?|forum:[\w/.-]+)"
)
_KINDS = {
    "order": "order",
    "invoice": "invoice",
    "shipment": "shipment",
    "creditmemo": "creditmemo",
    "credit memo": "creditmemo",
    "memo": "creditmemo",
    "customer": "customer",
    "account": "customer",
    "product": "product",
    "review": "review",
    "submission": "forum:submission",
    "post": "forum:submission",
    "thread": "forum:submission",
    "picture": "image",
    "image": "image",
}
_RECORD = re.compile(
    rf"\b({'|'.join(sorted(_KINDS, key=len, reverse=True))})s?(?:'s)?\W+"
    r"(?:(?:page|history|record|tab|no|nos|number|id|view)\W+)?#?0*(\d+(?:(?:, | and |/|, and )#?0*\d+)*)(?![\d.]*\d)"
)
_BARE = re.compile(r"#0*(\d+)\b|\b0{3,}(\d+)\b|\b(\d{5,})\b")
_DIGITS = {"forum:submission": 4, "image": 4}
"""Minimum digits of a number after the name of this kind of page: `post 3` is the third post, not the post's number."""
_NUMBER = re.compile(r"\d+")
_USER = re.compile(
    r"(?<![\w/])(?:/?u(?:ser)?/|@)([\w-]+)|\b(?:user|member|profile of|comments of|comments by) ([\w-]+)"
)
_FORUM = re.compile(r"(?<!\w)/?f/(\w+)")
_WIKI = re.compile(r"\b(?:wiki|guide)\b\W+(?:page\W+)?([a-z_-]+(?:/[a-z_-]+)+)")
_TOLD = re.compile(r"\b(?:prompt|task|instructions?|trigger|briefing|assignment|request|user message)\b")
_RULES = re.compile(r"\b(?:handbook|guide|guidelines?|rules?|policy|policies|wiki|section|§)")
_WORDS_OF_KIND = {
    "customer": ("customer",),
    "account": ("customer",),
    "product": ("product",),
    "shipment": ("shipment", "order"),
    "tracking": ("shipment", "order"),
    "invoice": ("invoice", "order"),
    "memo": ("creditmemo", "order"),
    "review": ("review", "customer", "product"),
    "order": ("order", "customer"),
    "log": ("forum:log",),
    "profile": ("forum:user",),
    "post": ("forum:submission",),
    "thread": ("forum:submission",),
    "comment": ("forum:submission", "forum:user", "order"),
    "picture": ("image",),
    "image": ("image",),
    "chart": ("image",),
    "search": ("forum:search",),
}
_GENERIC = frozenset(
    re.findall(
        r"\w+",
        """
    the a of in on to at page pages tab view record records site forum shop admin back office edit new history note
    notes text part section company information list commonroom larkmoor outfitters image and s for by his her their
    no
""",
    )
)


_SEARCHED = re.compile(r"\bsearch|\bfilter|\bresults? (?:for|of)\b")


@dataclass(frozen=True)
class Source:
    """What a name of a page refers to."""

    readings: tuple[Reading, ...] = ()
    """The delivered pages that it may mean; none: no such page was delivered, or it is unclear."""
    certain: bool = False
    """Whether the name allows no other page: an address, a key, a record's number."""
    named: str = ""
    """The part of the name that identifies the page."""


def resolve(source: str, ledger: Ledger) -> Source:
    """The pages that a source names. If it is certain but has no readings, the page was never delivered."""
    for found in (_by_address(source, ledger), _by_key(source, ledger), _by_number(source, ledger)):
        if found:
            return found
    return _by_words(source, ledger)


def _by_address(source: str, ledger: Ledger) -> Source | None:
    matches = [address.rstrip(".:") for address in _ADDRESS.findall(source)]
    if not matches or (" " in source.strip() and all(not _whole(address) for address in matches)):
        return None  # "the log of /f/houseplants" names a forum
    readings: list[Reading] = []
    for given in matches:
        url = given if "://" in given else f"https://{ledger.host}{given}" if given[0] == "/" else f"https://{given}"
        key = page_key(url) if urlsplit(url).netloc.lower() == ledger.host.lower() else None
        readings += (ledger.of_key(key) if key else ()) or ledger.of_address(url)
    return Source(tuple(dict.fromkeys(readings)), certain=True, named=matches[0])


def _whole(address: str) -> bool:
    return "://" in address or address.count("/") > 2


def _by_key(source: str, ledger: Ledger) -> Source | None:
    keys = _KEY.findall(squeeze(source))
    readings = [reading for key in keys for reading in ledger.of_key(key.rstrip("./"))]
    return Source(tuple(dict.fromkeys(readings)), certain=True, named=keys[0]) if keys else None


def _by_number(source: str, ledger: Ledger) -> Source | None:
    """`order 604`, `shipments tab of order #000000547`, `submission 160361`: every page of that number that may
    be meant. An order's shipment, invoice and memo have separate pages that people call by the order's number.
    """
    folded = squeeze(source)
    if _SEARCHED.search(folded):
        return None  # a list filtered by a number is not the record with that number
    asked = [(_KINDS[match[1]], number) for match in _RECORD.finditer(folded) for number in _NUMBER.findall(match[2])]
    bare = [next(filter(None, groups)) for groups in _BARE.findall(folded)]
    asked = [(kind, n) for kind, n in asked if len(n) >= _DIGITS.get(kind, 1)]  # "post 3" is the third one
    numbers = [number for _, number in asked] or bare
    if not numbers:
        return None
    kinds = {kind for kind, _ in asked} | {
        kind for word, some in _WORDS_OF_KIND.items() if re.search(rf"\b{word}", folded) for kind in some[:1]
    }
    readings: list[Reading] = []
    for number in numbers:
        there = [r for r in ledger.readings if any(_numbered(key, number, kinds if asked else set()) for key in r.keys)]
        readings += there
    if not readings and not asked and "000" not in folded:
        return None  # perhaps a comment's number, or a telephone's
    return Source(
        tuple(dict.fromkeys(readings)), certain=True, named=f"{asked[0][0] if asked else ''} {numbers[0]}".strip()
    )


def _numbered(key: str, number: str, kinds: set[str]) -> bool:
    head = key.split("/comment/")[0]
    kind, _, rest = head.rpartition("/") if head.startswith("forum:submission/") else head.partition(":")
    kind = "forum:submission" if head.startswith("forum:submission/") else kind
    own = head.split("/")[1] if kind == "forum:submission" else rest.split("/")[0]
    return own.lstrip("0") == number.lstrip("0") and (not kinds or kind in kinds)


def _by_words(source: str, ledger: Ledger) -> Source:
    """A page by its member, forum, wiki path, title or kind; never certain, because people name pages in many ways."""
    folded = squeeze(source)
    found: list[Reading] = []
    if _TOLD.search(folded):
        found += [reading for reading in ledger.readings if PROMPT in reading.keys]
    paths = [f"user/{match[1] or match[2]}" for match in _USER.finditer(folded)]
    paths += [f"wiki/{match[1]}" for match in _WIKI.finditer(folded)]
    for path in paths:
        found += [r for r in ledger.readings if any(f"forum:{path}" in (key, key.rsplit("/", 1)[0]) for key in r.keys)]
    for forum in _FORUM.findall(folded):
        found += [r for r in ledger.readings if f"/f/{forum}" in r.url.lower() or f"forum:log/{forum}" in r.keys]
    found += _titled(folded, ledger)
    if _RULES.search(folded):
        found += [reading for reading in ledger.readings if reading.policy]
    for word, kinds in _WORDS_OF_KIND.items():
        if re.search(rf"\b{word}", folded):
            found += [r for r in ledger.readings if any(key.startswith(kinds) for key in r.keys)]
    return Source(tuple(dict.fromkeys(found)), certain=False, named=source.strip())


def _titled(folded: str, ledger: Ledger) -> list[Reading]:
    """The readings whose title or key has the most of the name's words, if at least half."""
    own = set(words(folded)) - _GENERIC
    if not own:
        return []
    shares = [(len(own & _title_words(reading)), reading) for reading in ledger.readings]
    most = max((share for share, _ in shares), default=0)
    return [reading for share, reading in shares if share == most] if 2 * most >= len(own) else []


def _title_words(reading: Reading) -> set[str]:
    return {word for text in (reading.title, *reading.keys) for word in words(text.replace("_", " "))} | {
        part for key in reading.keys for part in words(key)
    }
