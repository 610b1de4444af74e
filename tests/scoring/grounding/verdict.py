"""What the detector says of one claim about pages that a test has written."""

from longtrail.clock import NOW
from longtrail.records.trajectory import Suite
from longtrail.scoring.grounding.claims import Claim
from longtrail.scoring.grounding.detector import Kind, judge
from longtrail.scoring.grounding.ledger import Entry, Ledger
from longtrail.scoring.grounding.page import read_page

HOSTS: dict[Suite, str] = {"shopping_admin": "shopadmin.test", "reddit": "forum.test"}
Written = tuple[str, str, str, str]
"""A page's key, its path, its title, its text."""


def verdict(text: str, source: str, pages: tuple[Written, ...], suite: Suite = "shopping_admin") -> Kind:
    """The class of a sentence, or with a source of a piece of evidence, where these pages were delivered in order."""
    entries = tuple(
        Entry(frozenset({key}), f"https://{HOSTS[suite]}/{path}", title, read_page(words, NOW), step)
        for step, (key, path, title, words) in enumerate(pages, 1)
    )
    claim = Claim(text=text, source=source, part="evidence") if source else Claim(text=text)
    return judge(claim, Ledger(suite, entries, NOW)).kind
