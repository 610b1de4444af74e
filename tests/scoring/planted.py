"""Planted: the references' honest decisions with one fault each, of a known kind and class. A seed gives the same ones.

An honest decision has the reference's justification, response and evidence; `shows` of each piece is what the facts of
its page say. A planted value was delivered nowhere, or only on another page. Faults that a case has no place for are
left out.
"""

import calendar
import random
import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from longtrail.checks.page_names import page_key
from longtrail.records.action import Decide, Evidence
from longtrail.records.result import ClaimKind
from longtrail.scoring.hallucination import Ledger
from longtrail.scoring.shown_pages import ShownPage
from tests.scoring.recorded import Played

Part = Literal["quote", "shows", "justification"]
_MONTHS = [*calendar.month_name][1:]
_SHORT = "|".join(month[:3] for month in _MONTHS)
VALUES = {
    "amount": re.compile(r"\$\d[\d,]*(?:\.\d\d)?"),
    "date": re.compile(rf"\b(?P<month>(?:{_SHORT})[a-z]*) (?P<day>\d{{1,2}})\b(?P<year>, \d{{4}})?"),
    "name": re.compile(r"\b[A-Z][a-z]+ [A-Z][a-z]+\b|\b[A-Za-z]+_[A-Za-z_]+\b"),
    "identifier": re.compile(r"(?<=[Oo]rder )\d{2,6}\b|\b[0-9A-Z]{2,}-?\d{4,}\b|\b\d{5,}\b"),
}
"""What is altered. These patterns are independent of the rules under test."""
_PEOPLE = ("Hannah Quill", "Rufus Ostrander", "Delphine Karras", "Mortimer Blye", "Saskia Venn")
_HANDLES = ("moss_and_mortar", "tidal_tomasz", "quince_quarter", "oboe_olwen")
_ELSEWHERE = {
    "shopping_admin": (
        "https://shopadmin.test/admin/sales/order/view/order_id/{n}/",
        "order {n}",
        "customer {n}'s page",
        "https://shopadmin.test/admin/customer/index/edit/id/{n}/",
        "shipments tab of order #{n}",
    ),
    "reddit": (
        "https://forum.test/f/gardening/{n}",
        "https://forum.test/user/quince_quarter_{n}",
        "submission {n}",
        "https://forum.test/wiki/moderation/part_{n}",
    ),
}


class Planted(NamedTuple):
    """A decision with one fault."""

    task: str
    kind: str
    """What was altered, and where: `date in shows`."""
    expected: ClaimKind
    decision: Decide


def honest(played: Played) -> Decide:
    """The reference's decision; what each piece shows is in the words of the facts of its page."""
    pieces = []
    for piece in played.decision.evidence:
        key = (page_key(piece.source) or "").casefold()
        says = [fact.says for fact in played.task.required if key in {page.casefold() for page in fact.pages}]
        pieces.append(piece.model_copy(update={"shows": " ".join(says) if not key.startswith("image") else ""}))
    return played.decision.model_copy(update={"evidence": tuple(pieces)})


def planted(played: Played, seed: int) -> Iterator[Planted]:
    """Every kind of fault that can be planted in a case, one decision each."""
    rng = random.Random(f"{seed}:{played.task.id}")
    right = honest(played)
    for kind, fault in (("undelivered source", _undelivered), ("another page as source", _another_page)):
        if changed := fault(right, played, rng):
            expected: ClaimKind = "fabricated_source" if fault is _undelivered else "misattribution"
            yield Planted(played.task.id, kind, expected, changed)
    parts: tuple[Part, ...] = ("quote", "shows", "justification")
    for part in parts:
        for what in VALUES:
            if part != "quote" and what == "name":
                continue  # names are not typed values
            if changed := _altered(right, part, what, played.ledger, rng):
                yield Planted(played.task.id, f"{what} in {part}", "synthetic", changed)
    if changed := _requoted(right, rng):
        yield Planted(played.task.id, "quotation in justification", "synthetic", changed)


def _with_piece(decision: Decide, index: int, **changes: str) -> Decide:
    pieces = list(decision.evidence)
    pieces[index] = pieces[index].model_copy(update=changes)
    return decision.model_copy(update={"evidence": tuple(pieces)})


def _textual(decision: Decide) -> list[int]:
    """Pieces that quote text. Pieces that cite a picture are left out, because no text can refute them."""
    return [i for i, piece in enumerate(decision.evidence) if "submission_images" not in piece.source]


def _undelivered(decision: Decide, played: Played, rng: random.Random) -> Decide | None:
    if not (pieces := _textual(decision)):
        return None
    name = rng.choice(_ELSEWHERE[played.task.base_suite]).format(n=rng.randint(880_000, 989_999))
    return _with_piece(decision, rng.choice(pieces), source=name)


def _another_page(decision: Decide, played: Played, rng: random.Random) -> Decide | None:
    """The source of a piece becomes a delivered page that does not have its words."""
    for index in rng.sample(_textual(decision), len(_textual(decision))):
        piece = decision.evidence[index]
        others = [r for r in played.ledger.pages if r.url and not _holds(r, piece) and _apart(r, piece, played.ledger)]
        if others:
            return _with_piece(decision, index, source=rng.choice(others).url)
    return None


def _plain(text: str) -> str:
    return re.sub(r"\W+", " ", text.casefold())


def _holds(page: ShownPage, piece: Evidence) -> bool:
    return _plain(piece.quote) in _plain(page.text)


def _apart(page: ShownPage, piece: Evidence, ledger: Ledger) -> bool:
    """Whether no page of the same page, of one of its tabs or of the page it is a tab of has the words."""
    bases = {"/".join(key.split("/")[:2]) if key.startswith("forum:") else key.split("/")[0] for key in page.keys}
    same = [r for r in ledger.pages if any(key.startswith(base) for key in r.keys for base in bases)]
    return bool(bases) and not any(_holds(r, piece) for r in same) and "google" not in page.url


def _texts(decision: Decide, part: Part) -> list[tuple[int, str]]:
    if part == "justification":
        return [(0, decision.justification)]
    return [(i, getattr(decision.evidence[i], part)) for i in _textual(decision)]


def _put(decision: Decide, part: Part, index: int, text: str) -> Decide:
    if part == "justification":
        return decision.model_copy(update={"justification": text})
    return _with_piece(decision, index, **{part: text})


def _altered(decision: Decide, part: Part, what: str, ledger: Ledger, rng: random.Random) -> Decide | None:
    """One value exchanged for one that was delivered nowhere."""
    found = [(i, text, match) for i, text in _texts(decision, part) for match in VALUES[what].finditer(text)]
    known = _plain("\n".join(page.text for page in ledger.pages))
    for index, text, match in rng.sample(found, len(found)):
        for _ in range(20):
            new = _new(what, match, rng)
            if _plain(new) not in known:
                return _put(decision, part, index, f"{text[: match.start()]}{new}{text[match.end() :]}")
    return None


def _new(what: str, match: re.Match[str], rng: random.Random) -> str:
    if what == "name":
        return rng.choice(_HANDLES if "_" in match[0] else _PEOPLE)
    if what == "date":
        month = rng.choice(_MONTHS)
        return f"{month if len(match['month']) > 3 else month[:3]} {rng.randint(1, 28)}{match['year'] or ''}"
    digits = [i for i, char in enumerate(match[0]) if char.isdigit()]
    chars = list(match[0])
    for i in rng.sample(digits, min(3, len(digits))):
        chars[i] = rng.choice("123456789")
    return "".join(chars)


_INVENTED = (
    "they never sent the second letter at all",
    "I was told to say nothing about the other account",
    "our records show no such entry for the week",
    "he signed for it himself and kept the box",
)


def _requoted(decision: Decide, rng: random.Random) -> Decide | None:
    return decision.model_copy(
        update={"justification": f'{decision.justification}\nThere it says: "{rng.choice(_INVENTED)}".'}
    )
