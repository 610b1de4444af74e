"""People: members' names and the names of persons in a text."""

import re
from collections.abc import Sequence

from longtrail.scoring.grounding.ledger import Ledger
from longtrail.scoring.grounding.page import Line
from longtrail.scoring.grounding.words import EMPTY, listed
from longtrail.text.folding import fold, squeeze, stands_in
from longtrail.text.lexicon import MONTHS, STATES

_HANDLE = re.compile(
    r"(?<![\w/.-])(?:/?u(?:ser)?/|@)?"
    r"(?P<name>[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|[A-Za-z][a-z]+[A-Z][A-Za-z]+|[A-Za-z]+\d[A-Za-z0-9_]*)"
    r"(?![\w/-]|\.\w)"
)
_PREFIXED = re.compile(r"(?<![\w/.-])(?:/?u(?:ser)?/|@)(?P<name>\w[\w-]+)")
_WORD = re.compile(r"[A-Za-z][\w-]{3,}")
_GIVEN = r"[A-Z][a-zà-ÿ]+"
_SMALL = "|".join(sorted(word.title() for word in EMPTY - {"will", "may"}))
_TITLES = "Mr|Mrs|Ms|Dr|Officer|Agent|Inspector|Detective|Captain|Prof(?:essor)?"
_PERSON = re.compile(
    rf"\b(?!(?:{_SMALL}|{_TITLES})\b){_GIVEN}(?:[- ](?:[A-Z]\.|(?:van|de|von|di|al) ))?[ ]?"
    rf"(?:Mc|Mac|O['’])?{_GIVEN}(?:-{_GIVEN})?\b"
)
_TITLE = re.compile(rf"\b(?:{_TITLES})\.? ([A-Z][a-z]+)\b")
_INITIAL = re.compile(r"\b(?:(?P<dotted>[A-Z])\. ?|(?P<bare>[B-HJ-Z]) )(?P<name>[A-Z][A-Za-z'’-]{2,})\b")
_PROPER = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{3,}(?![\w'’-]| [A-Z])")
_NO_PERSON = listed("no_person")


def handles(text: str, ledger: Ledger) -> list[str]:
    """Folded names of members in a text, in order: those of the ledger, and whatever looks like one."""
    if ledger.suite != "reddit":
        return []
    if text not in ledger.handles:
        ledger.handles[text] = _handles(text, ledger)
    return ledger.handles[text]


def _handles(text: str, ledger: Ledger) -> list[str]:
    known = ledger.members
    spots = [(m.start("name"), fold(m["name"])) for p in (_HANDLE, _PREFIXED) for m in p.finditer(text)]
    spots += [(m.start(), fold(m[0])) for m in _WORD.finditer(text) if fold(m[0]) in known]
    return list(dict.fromkeys(name for _, name in sorted(spots) if name in known or not _forum(name, ledger)))


def nicknamed(name: str, ledger: Ledger) -> list[str]:
    """The member whom a part of their name means: `Nils` is night_shift_nils, unless two are called so."""
    short = fold(name)
    found = [who for who in sorted(ledger.members) if short in who.split("_") and short != who]
    return found if len(found) == 1 else []


def _forum(name: str, ledger: Ledger) -> bool:
    """Whether what looks like a member's name is a forum's: `LifeProTips`."""
    pattern = re.compile(rf"(?<!\w)/?f/{re.escape(name)}(?!\w)|\bin +\"?{re.escape(name)}\"?(?!\w)")
    return any(name in entry.page.folded and pattern.search(entry.page.folded) for entry in ledger.entries)


def without(who: Sequence[str], text: str) -> str:
    """A text with spaces for members' names: figures in them count nothing, words in them name nothing."""
    marked = [name for name in who if not name.isalpha()]
    for match in (m for name in marked for m in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE)):
        text = text[: match.start()] + " " * (match.end() - match.start()) + text[match.end() :]
    return text


def named(who: str, line: Line) -> bool:
    """Whether a line was written by a member, or names them."""
    if line.speaker == who:
        return True
    return stands_in(who, line.folded)


def person_names(text: str) -> list[str]:
    """Names of persons as they are written: two capitalised words that aren't the name of something else."""
    found = []
    for match in _PERSON.finditer(text):
        words = re.split(r"[ -]", match[0])
        if any(w.lower() in _NO_PERSON or w.lower() in MONTHS or w.isupper() for w in words):
            continue
        if squeeze(match[0]) in _PLACES or any(squeeze(w) in _PLACES for w in words) or len(words) < 2:
            continue
        found.append(match[0])
    return [*found, *(m[1] for m in _TITLE.finditer(text))]


def proper_names(text: str) -> list[str]:
    """Folded capitalised words within a sentence that are no person's, day's or page's: `after Denver`."""
    return [fold(m[0]) for m in _PROPER.finditer(text) if fold(m[0]) not in _NO_PERSON | MONTHS.keys()]


def initials(text: str) -> list[tuple[str, str]]:
    """(initial, surname), folded, of persons written like `M. Baker` or `M BAKER`."""
    found = [(fold(m["dotted"] or m["bare"]), fold(m["name"]), m) for m in _INITIAL.finditer(text)]
    return [(one, name) for one, name, m in found if (m["dotted"] or m["name"].isupper()) and name not in _NO_PERSON]


_PLACES = frozenset(set(STATES.values()) | {word for name in STATES.values() for word in name.split()})
