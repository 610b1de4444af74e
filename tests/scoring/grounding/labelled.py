"""Labelled: the claims of data/claims and the ledgers that they speak of."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from longtrail.authoring.claims.labelled import LabelledClaim, read_claims
from longtrail.clock import NOW
from longtrail.scoring.grounding.detector import Finding, Kind, judge
from longtrail.scoring.grounding.ledger import Entry, Ledger
from longtrail.scoring.grounding.page import read_page

DATA = Path(__file__).parent / "data"
LEDGERS = DATA / "ledgers.json"


def _files(part: str) -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in (DATA / "claims").glob(f"{part}_*.yaml")))


DEVELOPMENT, LOCKED = _files("development"), _files("locked")
SEEN, UNMENDED = _files("seen"), _files("unmended")
"""New writers' claims about new cases. `seen`: after the first sight some of their false alarms were mended for.
`unmended`: nothing was made for their errors: what to expect next."""


@cache
def ledgers() -> dict[str, Ledger]:
    """The ledger of each case, as its reference solution fills it."""
    stored = json.loads(LEDGERS.read_text())
    return {name: _ledger(case, stored["texts"]) for name, case in stored["cases"].items()}


def _ledger(case: dict[str, Any], texts: dict[str, str]) -> Ledger:
    entries = [
        Entry(frozenset(e["keys"]), e["url"], e["title"], read_page(texts[e["text"]], NOW), e["step"])
        for e in case["entries"]
    ]
    return Ledger(case["suite"], tuple(entries), NOW)


def claims(*parts: str) -> Iterator[LabelledClaim]:
    """The claims of these files."""
    for part in parts:
        yield from read_claims(DATA / "claims" / f"{part}.yaml")


def verdicts(*parts: str) -> list[tuple[str, Kind, Finding]]:
    """(case, label, finding) of these files."""
    return [one for part in parts for one in _judged(part)]


@cache
def _judged(part: str) -> tuple[tuple[str, Kind, Finding], ...]:
    return tuple((case, kind, judge(claim, ledgers()[case])) for case, kind, claim in claims(part))
