"""Reference notes: what the oracle has read so far, as pieces of evidence."""

import re
from collections.abc import Sequence

from longtrail.browser.view import View
from longtrail.checks.facts import Fact
from longtrail.checks.page_names import page_key
from longtrail.clock import NOW
from longtrail.records.action import MAX_PIECES, MAX_QUOTE, Evidence
from longtrail.records.observation import Observation, words_of
from longtrail.text.matcher import find


class Notes:
    """For each fact, the first passage read, as a piece of evidence."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self._facts = facts
        self._found: dict[str, Evidence] = {}

    def read(self, view: View) -> None:
        """Record the facts that a page shows, if it is one of their pages: others may have the same words."""
        key = (page_key(view.url) or "").casefold()
        for fact in self._facts:
            if fact.id in self._found or fact.pictured or not _is_of(key, fact):
                continue
            if quote := passage(fact, view.observation):
                self._found[fact.id] = Evidence(source=view.url, quote=quote, shows=fact.says)

    def of(self, names: Sequence[str], known: Sequence[Fact]) -> tuple[Evidence, ...]:
        """The passages of these facts. Those that were read in an earlier session are quoted from the reference."""
        facts = {fact.id: fact for fact in known}
        return tuple(self._found.get(name) or _from_reference(facts[name]) for name in names)[:MAX_PIECES]

    def evidence(self, read: Sequence[Evidence]) -> tuple[Evidence, ...]:
        """The facts in order, then everything else that was read and is in none of these quotes."""
        facts = [self._found[fact.id] for fact in self._facts if fact.id in self._found]
        quoted = " ".join(piece.quote for piece in facts)
        further = [piece for piece in read if piece.quote not in quoted]
        return tuple([*facts, *further][:MAX_PIECES])


def _from_reference(fact: Fact) -> Evidence:
    form = fact.shown[0]
    quote = form if isinstance(form, str) else " ".join(form.words)
    return Evidence(source=fact.pages[0], quote=quote, shows=fact.says)


def _is_of(key: str, fact: Fact) -> bool:
    """Whether a page is one of a fact's pages, or has one of them as a tab."""
    pages = [page.casefold() for page in fact.pages]
    return any(page == key or page.startswith(f"{key}/") or key.startswith(f"{page}/") for page in pages)


def passage(fact: Fact, observation: Observation) -> str:
    """The line of a page that states a fact; of a long line, the first part that may be quoted and states it. Empty if
    there is none."""
    line = (find(fact.shown, words_of(observation), NOW) or "").strip()
    starts = (match.start() for match in re.finditer(r"\S+", line))
    parts = [line] if len(line) <= MAX_QUOTE else [line[at : at + MAX_QUOTE].rpartition(" ")[0] for at in starts]
    return next((part for part in parts if find(fact.shown, part, NOW)), line[:MAX_QUOTE])
