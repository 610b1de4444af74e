"""Pointed: pages named by a label ahead of a claim, by bread crumbs, by a quoted title, by a site's name."""

import re
from collections.abc import Iterator

from longtrail.checks.hosts import host_of
from longtrail.scoring.grounding.addresses import Source
from longtrail.scoring.grounding.documents import with_key
from longtrail.scoring.grounding.elsewhere import retold
from longtrail.scoring.grounding.frames import made_to_speak
from longtrail.scoring.grounding.ledger import Ledger
from longtrail.text.folding import squeeze

_LABEL = re.compile(r"\s*(?:where|source|page|location|seen (?:on|at|in))\s*:\s*(?P<where>[^;]+);\s*(?P<rest>.+)", re.I)
_CRUMB = re.compile(r"\s+[>›»→]\s+")
_MARKS = r"[\"“'‘](?P<title>[^\"“”'‘’]{4,90})[\"”'’]"
_TITLE = re.compile(rf"\b(?:page|tab|thread|post|article|entry|wiki page)(?: (?:titled|called|named))? {_MARKS}", re.I)
_NOTED = re.compile(
    r"^\W*As (?:is |was |it is )?(?:noted|recorded|stated|shown|written|reported|told|seen) (?:on|in|under) (?:the )?"
    r"(?P<kind>order|shipment|invoice|credit memo|customer) (?:no\. ?|number )?#?0*(?P<number>\d+)",
    re.I,
)
_SITE = re.compile(
    r"\b(?:page|(?:web)?site|homepage|home page|shop|store|blog|imprint|foot)(?: (?:at|of|on|under))? "
    r"(?P<site>(?:[a-z0-9-]+\.)+[a-z]{3,})\b",
    re.I,
)


def labelled(text: str) -> tuple[str, str]:
    """The page that a label ahead of a claim names, and the claim: `WHERE: order 12; it was paid.`"""
    match = _LABEL.fullmatch(text)
    return (match["where"], match["rest"]) if match else ("", text)


def uncrumbed(text: str) -> str:
    """A page by its way through the menus in the words that people use for it: `Sales > Orders > View 12`."""
    crumbs = _CRUMB.split(text.strip())
    if len(crumbs) < 2:
        return text
    at = next((i for i, crumb in enumerate(crumbs) if re.match(r"(?:view|edit)\b", crumb, re.I)), 0)
    if at:
        which = " ".join([re.sub(r"^(?:view|edit)\W*", "", crumbs[at], flags=re.I), *crumbs[at + 1 :]])
        return f"{crumbs[at - 1].removesuffix('s')} page {which}"
    last = crumbs[-1]
    if re.match(r"/?(?:u|user)/", crumbs[0]):
        return f"{last} page of {crumbs[0]}"
    if match := re.match(r"all (\w+?)s\b", last, re.I):
        return f"{match[1]} grid"
    return text


def titled(text: str, ledger: Ledger) -> Iterator[Source]:
    """Pages named by their title in quotation marks, and sites by their name, that a sentence makes speak."""
    for match in _TITLE.finditer(text):
        if not made_to_speak(text, *match.span()):
            continue
        said = squeeze(match["title"])
        entries = tuple(entry for entry in ledger.entries if said in squeeze(entry.title))
        headed = any(f'heading "{said}' in entry.page.folded for entry in ledger.entries)
        if entries or not headed:
            yield Source(match["title"], entries, speaks=True, start=match.start(), end=match.end())
    for match in _NOTED.finditer(text):
        kind, number = match["kind"].lower().replace(" ", ""), match["number"]
        if entries := with_key(ledger, re.compile(rf"{kind}:{number}(?:/.*)?")):
            yield Source(match[0], entries, speaks=True, start=match.start(), end=match.end())
    hosts = {host_of(entry.url) for entry in ledger.entries if entry.url}
    for match in _SITE.finditer(text):
        if made_to_speak(text, *match.span()) and match["site"].lower() not in hosts and not retold(text, ledger):
            yield Source(match["site"], speaks=True, start=match.start(), end=match.end())
