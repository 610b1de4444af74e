"""Harmless: honest decisions in other words, as agents write them. All of their statements are on the pages."""

import random
import re
from collections.abc import Callable, Iterator
from itertools import pairwise
from urllib.parse import urlsplit

from longtrail.checks.page_names import page_key
from longtrail.records.action import Decide, Evidence
from tests.scoring.grounding.planted import honest
from tests.scoring.grounding.recorded import Played

_DATE = re.compile(
    r"\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)(?:[a-z]*)? (\d{1,2})(?:, (\d{4}))?\b(?!:)(?=[ ,.;)]|$)"
)
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
Retell = Callable[[Evidence, Played], Evidence | None]


def retold(played: Played, seed: int) -> Iterator[tuple[str, Decide]]:
    """The honest decision, once in each way of writing it: with every piece that can be written in this way."""
    rng = random.Random(f"{seed}:{played.task.id}")
    right = honest(played)
    yield "as it is", right
    for name, way in _WAYS.items():
        pieces = tuple(way(piece, played) or piece for piece in right.evidence)
        if pieces != right.evidence:
            yield name, right.model_copy(update={"evidence": pieces})
    pieces = tuple(_cut(piece, rng) or piece for piece in right.evidence)
    yield "with words left out", right.model_copy(update={"evidence": pieces})
    words = _DATE.sub(_other_date, right.justification)
    yield "dates in another form", right.model_copy(update={"justification": words})


def _other_date(match: re.Match[str]) -> str:
    year = f" {match[3]}" if match[3] else ""
    return f"{match[2]} {match[1]}{year}"


def _as(piece: Evidence, **changes: str) -> Evidence:
    return piece.model_copy(update=changes)


def _by_path(piece: Evidence, _: Played) -> Evidence:
    parts = urlsplit(piece.source)
    return _as(piece, source=parts.path)


def _without_scheme(piece: Evidence, _: Played) -> Evidence:
    return _as(piece, source=piece.source.split("://")[1].rstrip("/"))


def _in_brackets(piece: Evidence, played: Played) -> Evidence:
    title = next((r.title for r in played.ledger.readings if r.url == piece.source), "the page")
    return _as(piece, source=f"{title} ({piece.source})")


def _by_key(piece: Evidence, _: Played) -> Evidence | None:
    key = page_key(piece.source)
    return _as(piece, source=key) if key else None


def _by_title(piece: Evidence, played: Played) -> Evidence | None:
    title = next((r.title for r in played.ledger.readings if r.url == piece.source), "")
    return _as(piece, source=title) if title else None


def _by_number(piece: Evidence, _: Played) -> Evidence | None:
    """`order #000000604`, `shipment 604's page`, `submission 160361`."""
    key = page_key(piece.source) or ""
    if found := re.fullmatch(r"(order|shipment|customer|creditmemo|invoice|product|review):(\d+)(?:/(\w+))?", key):
        kind = found[1].replace("creditmemo", "credit memo")
        tab = f"{found[3]} tab of " if found[3] else ""
        return _as(
            piece, source=f"{tab}{kind} #{int(found[2]):09d}" if kind == "order" else f"{kind} {found[2]}'s page"
        )
    found = re.fullmatch(r"forum:submission/(\d+)", key)
    return _as(piece, source=f"submission {found[1]}") if found else None


def _by_kind(piece: Evidence, _: Played) -> Evidence | None:
    key = page_key(piece.source) or ""
    names = {
        "customer": "the customer's page",
        "cms": "Company Operations Handbook",
        "shipment": "the shipment's history",
    }
    names |= {"forum:wiki": "moderation guide", "forum:user": "his profile", "forum:log": "the moderation log"}
    return next((_as(piece, source=name) for start, name in names.items() if key.startswith(start)), None)


def _marked(piece: Evidence, _: Played) -> Evidence:
    return _as(piece, quote="“" + piece.quote.replace("'", "’") + "”")


def _loud(piece: Evidence, _: Played) -> Evidence:
    return _as(piece, quote=f"  {piece.quote.upper()}!  ")


def _spaced(piece: Evidence, _: Played) -> Evidence:
    return _as(piece, quote=piece.quote.replace(" ", "\n", 1).replace(" ", "  "))


def _other_months(piece: Evidence, _: Played) -> Evidence:
    return _as(piece, shows=_DATE.sub(_other_date, piece.shows))


def _without_cents(piece: Evidence, _: Played) -> Evidence:
    return _as(piece, shows=piece.shows.replace(".00", ""), quote=piece.quote.replace(".00", ""))


def _whole_line(piece: Evidence, played: Played) -> Evidence | None:
    """The whole delivered line, with the marks of the observation."""
    there = [r for r in played.ledger.readings if r.url == piece.source]
    lines = [line.strip() for reading in there for line in reading.text.split("\n") if piece.quote in line]
    return _as(piece, quote=lines[0]) if lines and len(lines[0]) < 390 else None


def _two_lines(piece: Evidence, played: Played) -> Evidence | None:
    """The line before and the line itself as one, as tables and comments are often quoted."""
    for reading in played.ledger.readings:
        lines = [line.strip() for line in reading.text.split("\n") if line.strip()]
        for before, line in pairwise(lines):
            if reading.url == piece.source and piece.quote in line and len(before) + len(line) < 390:
                return _as(piece, quote=f"{before}: {line}")
    return None


def _cut(piece: Evidence, rng: random.Random) -> Evidence | None:
    """Some words left out in the middle."""
    words = piece.quote.split()
    if len(words) < 6:
        return None
    at = rng.randint(2, len(words) - 3)
    gap = rng.choice(["...", "[...]", "…"])
    return _as(piece, quote=f"{' '.join(words[:at])} {gap} {' '.join(words[at + 1 :])}...")


_WAYS: dict[str, Retell] = {
    "source by path": _by_path,
    "source without scheme": _without_scheme,
    "source as title and address": _in_brackets,
    "source by key": _by_key,
    "source by title": _by_title,
    "source by number": _by_number,
    "source by kind": _by_kind,
    "quotation in marks": _marked,
    "quotation in capitals": _loud,
    "quotation over two lines": _spaced,
    "dates in another order": _other_months,
    "amounts without cents": _without_cents,
    "the whole line": _whole_line,
    "two lines in one": _two_lines,
}
