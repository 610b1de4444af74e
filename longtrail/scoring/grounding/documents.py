"""Documents: the papers of an order (shipment, invoice, credit memo), by their own number or by the order's."""

import re

from longtrail.scoring.grounding.ledger import Entry, Ledger

DOCUMENTS = {"creditmemo:": "credit memo", "invoice:": "invoice", "shipment:": "shipment"}
"""Papers of an order: the page's key, and how people call it. They have the number of their own, or the order's."""


def with_key(ledger: Ledger, pattern: re.Pattern[str]) -> tuple[Entry, ...]:
    return tuple(entry for entry in ledger.entries if any(pattern.fullmatch(key) for key in entry.keys))


def like(page: str, number: str, ledger: Ledger) -> tuple[Entry, ...]:
    return with_key(ledger, re.compile(page.replace("*", ".*").replace("{id}", number or "[^/]+")))


def document(kind: str, number: str, ledger: Ledger) -> tuple[Entry, ...]:
    """What was delivered of a document: by its own number, by its order's, else what names it with its number."""
    own = with_key(ledger, re.compile(rf"{kind}{number}(?:/.*)?|order:{number}/{kind[:-1]}s"))
    of_order = [e for e in like(kind + "{id}", "", ledger) if f"order # {number:0>9}" in e.page.folded]
    if own or of_order:
        return tuple(dict.fromkeys((*own, *of_order)))
    return tuple(e for e in ledger.entries if f"{DOCUMENTS[kind]} #{number:0>9}" in e.page.folded)


def is_of(kind: str, number: str, entry: Entry) -> bool:
    """Whether an entry is a document's own page, or the list of its order's."""
    keys = (f"{kind}{number}", f"order:{number}/{kind[:-1]}s")
    own = f"order # {number:0>9}" in entry.page.folded and any(key.startswith(kind) for key in entry.keys)
    return own or any(key.startswith(keys) for key in entry.keys)


def in_a_listing(kind: str, number: str, ledger: Ledger) -> bool:
    """Whether a delivered listing of such documents has a row of this one."""
    start = f"row: {number:0>9} "
    listings = (entry for entry in ledger.entries if f"{kind[:-1]}s" in entry.keys)
    return any(row.text.startswith(start) for entry in listings for row in entry.page.rows)
