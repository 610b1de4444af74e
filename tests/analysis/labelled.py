"""Labelled: the claims of data/claims and the ledgers that they speak of."""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from trailmark.analysis.grounding.claims import Claim
from trailmark.analysis.grounding.detector import Finding, Kind, judge
from trailmark.analysis.grounding.ledger import Entry, Ledger
from trailmark.analysis.grounding.page import read_page
from trailmark.clock import NOW
from trailmark.yaml_file import read_yaml

DATA = Path(__file__).parent / "data"
LEDGERS = DATA / "ledgers.json"
_BATCHES = (
    "",
    "_more",
    "_third",
    "_fourth",
    "_fifth",
    "_sixth",
    "_seventh",
    "_eighth",
    "_ninth",
    "_tenth",
    "_eleventh",
    "_twelfth",
    "_thirteenth",
    "_fourteenth",
    "_fifteenth",
    "_sixteenth",
    "_seventeenth",
    "_eighteenth",
    "_nineteenth",
    "_twentieth",
    "_twentyfirst",
    "_twentysecond",
    "_twentythird",
)
DEVELOPMENT = tuple(f"development{batch}" for batch in _BATCHES)
LOCKED = ("locked_shop", "locked_forum", "locked_third", "locked_fourth")
UNMENDED = ("unmended", "unmended_second")
"""Two new writers' claims about new cases, whose errors nobody has looked at: what to expect of the next one."""


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


def claims(*parts: str) -> Iterator[tuple[str, Kind, Claim]]:
    """(case, label, claim) of these files."""
    for part in parts:
        for case, classes in read_yaml(DATA / "claims" / f"{part}.yaml").items():
            for kind, items in classes.items():
                for item in items:
                    yield case, kind, _claim(item)


def _claim(item: str | list[str]) -> Claim:
    if isinstance(item, str):
        return Claim(text=item)
    return Claim(source=item[0], text=item[1], part="evidence")


def verdicts(*parts: str) -> list[tuple[str, Kind, Finding]]:
    """(case, label, finding) of these files."""
    return [one for part in parts for one in _judged(part)]


@cache
def _judged(part: str) -> tuple[tuple[str, Kind, Finding], ...]:
    return tuple((case, kind, judge(claim, ledgers()[case])) for case, kind, claim in claims(part))
