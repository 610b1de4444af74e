"""Things: orders, shipments and customers that a sentence makes speak, or says were opened, by their number alone."""

import re
from collections.abc import Iterator

from longtrail.scoring.grounding.addresses import Source
from longtrail.scoring.grounding.documents import document, with_key
from longtrail.scoring.grounding.frames import looked_at
from longtrail.scoring.grounding.ledger import Ledger

_THING = re.compile(
    r"(?<!of )(?<!for )\b(?P<kind>order|shipment|customer)(?: of (?:his|hers|theirs))?,? (?:no\.? ?|number |id )?#?0*"
    r"(?P<number>\d{1,9})\b(?![./:-]?\d)",
    re.IGNORECASE,
)
_SAYS = re.compile(
    r"(?:,[^,.;]{1,60},|,)? (?:(?:itself|also|only|clearly|then) )*"
    r"(?:shows|says|reads|notes|records|carries|lists|states|mentions|tells|reveals|speaks|reports|confirms)\b"
)
"""Only what nothing but a page does: an order also `has` or `contains`."""


def things(text: str, ledger: Ledger) -> Iterator[Source]:
    """Each such thing, and what was delivered of its own pages."""
    if ledger.suite != "shopping_admin":
        return
    for match in _THING.finditer(text):
        speaks = _SAYS.match(text, match.end()) is not None
        if speaks or looked_at(text, match.start()):
            kind, number = match["kind"].lower(), match["number"]
            pages = with_key(ledger, re.compile(rf"{kind}:{number}(?:/.*)?"))
            entries = document("shipment:", number, ledger) if kind == "shipment" else pages
            yield Source(match[0], entries, bare=number, speaks=speaks, start=match.start(), end=match.end())
