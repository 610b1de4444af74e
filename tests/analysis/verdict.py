"""What the detector says of one claim about pages that a test has written."""

from trailmark.analysis.grounding.claims import Claim
from trailmark.analysis.grounding.detector import Kind, judge
from trailmark.analysis.grounding.ledger import Entry, Ledger
from trailmark.analysis.grounding.page import read_page
from trailmark.clock import NOW
from trailmark.trajectory import Suite

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
