"""Narrowed: of the pages that a name can mean those of the forum, the part or the person named with it."""

import re
from collections.abc import Sequence

from longtrail.scoring.grounding.ledger import Entry, Ledger
from longtrail.scoring.grounding.people import handles, named, nicknamed
from longtrail.scoring.grounding.words import vocabulary
from longtrail.text.folding import squeeze

_OWNED = re.compile(r"\b(?P<who>[A-Z][a-z]+)['’]s? (?:own |first |last |latest )?$")
"""Ahead of a page's name: `Ann's own `."""
_IN_THREAD = re.compile(r"^(forum:submission/\d+)/.*")


def owners(text: str, start: int, end: int, ledger: Ledger) -> list[str]:
    """The member whose page is named: right before it (`RosaLinden's profile`), or behind `of`, `by`, `for`."""
    ahead = re.match(r"[^,.;]{0,30}?\b(?:of|by|from|for)\s+(?:user\s+)?(\S+)", text[end:])
    before = text[:start].split()[-2:]
    found = [*handles(" ".join(before), ledger), *(handles(ahead[1], ledger) if ahead else [])]
    short = _OWNED.search(text[:start])
    return found or (nicknamed(short["who"], ledger) if short else [])


def one_page(entries: Sequence[Entry]) -> bool:
    """Whether only one page was delivered that can be meant, so that no number is needed: `the thread shows`.

    What is opened within a thread, a comment or a form, is of that thread.
    """
    keys = [frozenset(_IN_THREAD.sub(r"\1", key) for key in entry.keys) for entry in entries]
    return bool(keys) and bool(frozenset.intersection(*keys))


def of_forum_named(entries: list[Entry], before: str) -> list[Entry]:
    """Of several threads those of the forum that is named right ahead: `the running thread`."""
    word = squeeze(before).rpartition(" ")[2].strip("/")
    forum = word.removeprefix("f/")
    own = [e for e in entries if word and f"/f/{forum}/" in e.url.lower()]
    own = own or [e for e in entries if word and f'"/f/{forum}"' in e.page.folded]
    return own or of_title_named(entries, word)


def of_title_named(entries: list[Entry], word: str) -> list[Entry]:
    """Of several threads the one whose title has the word right ahead: `the kettle thread`."""
    called = vocabulary(word)
    own = [e for e in entries if called and called <= vocabulary(e.title)]
    return own if one_page(own) else entries


def of_part(entries: list[Entry], near: str) -> list[Entry]:
    """Of a guide in parts those that a mention names by number: `the guide's part 5`."""
    number = re.search(r"\bpart (\d{1,2})\b(?!\.\d)", squeeze(near))
    if number is None or not any(", part " in squeeze(entry.title) for entry in entries):
        return entries
    return [entry for entry in entries if f", part {number[1]}:" in squeeze(entry.title)]


def of_person(entry: Entry, page: str, who: Sequence[str], people: Sequence[str]) -> bool:
    """Whether an entry is of the person that the mention names, if it names one."""
    if page.startswith("forum:submission") and who:
        return any(named(who[0], line) for line in entry.page.lines)
    if page.startswith("customer:") and people:
        return any(squeeze(name) in squeeze(entry.title) for name in people)
    return True
