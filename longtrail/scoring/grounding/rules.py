"""Rules: what is given as the figure or the outcome of a paragraph, cited by its number, must be its own."""

import re
from collections.abc import Sequence

from longtrail.scoring.grounding.claims import Claim
from longtrail.scoring.grounding.ledger import Entry, lines_of
from longtrail.scoring.grounding.page import Line
from longtrail.scoring.grounding.values import Atom, atoms_of
from longtrail.scoring.grounding.wording import denials, figured, opposite
from longtrail.scoring.grounding.words import EMPTY, stem, vocabulary
from longtrail.text.folding import fold

_NUMBER = re.compile(r"(?<![\d.$])\d{1,2}\.\d{1,2}(?![\d%]|\.\d)")
_OUTCOME = re.compile(r"\b(?:[A-Z]{4,}|NO(?= ACTION))\b")
_TOLD = {
    "APPROVE": re.compile(r"\bapprov\w+|\bgranted\b|\bpays?\b"),
    "DENY": re.compile(r"\bden(?:y|ies|ied|ial)\b|\brefus\w+"),
    "ESCALATE": re.compile(r"\bescalat\w+"),
    "REMOVE": re.compile(r"\bremov\w+|\btaken down\b|\bdeleted\b"),
    "LOCK": re.compile(r"\block(?:ed|s|ing)?\b"),
    "APPLY": re.compile(r"\bflair"),
    "CORRECTION": re.compile(r"\bcorrection comment"),
    "PROVIDE": re.compile(r"\bcontext.aware"),
    "NO": re.compile(r"\b(?:stays|is left|remains) up\b|\bno action\b"),
}
"""Outcomes in people's own words."""
_UNDER = re.compile(r"\b([A-Z]{4,}),? (?:provided|only if|as long as|unless|if)\b")
_LIST = re.compile(r"(?P<of>[A-Z][\w ]{2,40}): (?P<items>[^.:]+)\.?")
_STATES = re.compile(
    r"(?<![\d.$])(?P<number>\d{1,2}\.\d{1,2})\b[^,;.]{0,60}?"
    r"\b(?:states?|says?|holds?|provides?|writes?|wants?|asks?|demands?|requires?|sets?|needs?|allows?|gives?|grants?)"
    r" (?:that )?(?!by\b)(?P<what>(?:[^,;.(]|[.,](?=\d))+)"
)
_TITLES = re.compile(r"[\"“'‘][^\"”'’]*[\"”'’](?!\w)")
MOSTLY = 0.6
"""A paragraph with so much of a claim's words is given in these words."""
_CUTS = re.compile(r"[;,]|:(?! [A-Z])|\b(?:and|while|whereas|but)\b")
_COUNTED = re.compile(
    r"(?<!\d )\b(?P<number>\d{1,3})(?: (?:or|and) (?:more|\d{1,3}))?(?: of)?(?: the| its| these)?"
    r"(?: (?:other|earlier|prior|previous|different|separate|worn|further|such))* (?P<noun>[a-z]{4,})"
)
_LINE = re.compile(r"^ (?:\w+ )?(?:below|under|above|over|short of|beyond|past|less than|more than)\b")
"""Behind an amount: so much lies between it and what the paragraph sets."""
_HELD = {"duration": "durations", "money": "money", "percent": "percents"}


def not_so_ruled(claim: Claim, inside: Sequence[Entry]) -> str:
    """What a piece of evidence says that the paragraph it cites does not; empty if all is there, or none is cited."""
    if not inside or not all(entry.policy for entry in inside):
        return ""
    cited = _paragraphs(f"{claim.source} {claim.text}", inside)
    if not cited:
        return ""
    outcomes = set(_OUTCOME.findall(" ".join(line.text for line in cited)))
    known = {word for entry in inside for word in _OUTCOME.findall(entry.page.text)}
    if other := [word for word in _OUTCOME.findall(claim.text) if outcomes and word in known - outcomes]:
        return f"{other[0]} is not what that paragraph decides"
    if told := _told_otherwise(claim.text, cited, known):
        return f"{told} is not what that paragraph decides"
    text = claim.text
    if reason := _conditioned(text, cited) or _listed_there(text, cited) or _counted_there(text, cited):
        return reason
    atoms = atoms_of(claim.text, inside[0].page.now)
    wanted = vocabulary(claim.text)
    like = [line for line in cited if len(wanted & line.words) >= MOSTLY * len(wanted)]
    figures = (a for a in atoms if a.kind == "number" and claim.text[a.start].isdigit() and not a.digits)
    if wrong := next((atom for atom in figures if like and not any(_counts(atom, line) for line in like)), None):
        return f"{wrong} is not what that paragraph counts"
    far = (atom for atom in atoms if _other(atom, cited) and not _LINE.search(claim.text[atom.end :]))
    return next((f"{atom} is not what that paragraph sets" for atom in far), "")


def _told_otherwise(text: str, cited: Sequence[Line], known: set[str]) -> str:
    """The outcome that a text tells in words of its own, where the one paragraph that it cites decides another.

    `known`: the outcomes that the rules know at all. What is only labelled or corrected stays up, too.
    """
    outcomes = set(_OUTCOME.findall(" ".join(line.text for line in cited)))
    told = [name for name, says in _TOLD.items() if name in known and says.search(fold(text))]
    if len({line.text for line in cited}) != 1 or not outcomes or not told or _OUTCOME.search(text):
        return ""
    if told == ["NO"] and "REMOVE" not in outcomes:
        return ""
    decided = (name in outcomes or _TOLD[name].search(cited[0].folded) for name in told)
    return "" if any(decided) else told[0]


def decided_otherwise(text: str, entries: Sequence[Entry]) -> str:
    """Why a paragraph named in a clause decides something else than the clause tells of it; empty if it doesn't."""
    rules = [entry for entry in entries if entry.policy] if _NUMBER.search(text) else []
    known = {word for entry in rules for word in _OUTCOME.findall(entry.page.text)}
    for part in _CUTS.split(text) if rules else ():
        cited = _paragraphs(part, rules) if not denials(part) else []
        if told := _told_otherwise(part, cited, known):
            return f"{told} is not what that paragraph decides"
    return ""


def _conditioned(text: str, cited: Sequence[Line]) -> str:
    """An outcome under a condition, where the paragraph gives it whatever else is so."""
    for match in _UNDER.finditer(text):
        if any(re.search(rf"\b{match[1]},? (?:whatever|regardless|no matter|even)\b", line.text) for line in cited):
            return f"{match[1]} is under no condition there"
    return ""


def _listed_there(text: str, cited: Sequence[Line]) -> str:
    """`Caffeine: pregnancy, recovery`, where that list has no such thing, but another one of the paragraph has."""
    match = _LIST.fullmatch(text.strip())
    if match is None:
        return ""
    for line in cited:
        own = re.search(rf"\b{re.escape(match['of'])}: ([^.]+)\.", line.text)
        strange = vocabulary(match["items"]) - vocabulary(own[1]) if own else frozenset()
        if strange and strange <= line.words and len(strange) < len(vocabulary(match["items"])):
            return f"{min(strange)} is not in that list"
    return ""


def exchanged_paragraphs(text: str, entries: Sequence[Entry]) -> str:
    """Why two paragraphs that a text cites each rule what it says of the other one; empty if that can't be told."""
    cited = list(_NUMBER.finditer(text))
    if len(cited) != 2 or cited[0][0] == cited[1][0]:
        return ""
    rules = [entry for entry in entries if entry.policy]
    first, second = (frozenset().union(*(line.words for line in _paragraphs(match[0], rules))) for match in cited)
    for cut in _CUTS.finditer(text, cited[0].end(), cited[1].start()):
        one, other = vocabulary(text[: cut.start()]), vocabulary(text[cut.end() :])
        one, other = one - other, other - one
        if one & second - first and other & first - second and not (one & first - second or other & second - first):
            return f"{cited[0][0]} and {cited[1][0]} changed places"
    return ""


def _counted_there(text: str, cited: Sequence[Line]) -> str:
    """`If one or two of the commenters took part`, where the paragraph counts three commenters and no other number."""
    held: dict[str, set[str]] = {}
    for line in cited:
        for noun, numbers in _counts_of(line.text).items():
            held.setdefault(noun, set()).update(numbers)
    wrong = (noun for noun, numbers in _counts_of(text).items() if noun in held and not numbers & held[noun])
    return f"{noun} is another number there" if (noun := next(wrong, "")) else ""


def _counts_of(text: str) -> dict[str, set[str]]:
    """The numbers ahead of each noun, by its stem."""
    found: dict[str, set[str]] = {}
    for match in _COUNTED.finditer(figured(_NUMBER.sub(" ", text))):
        if match["noun"] not in EMPTY:
            found.setdefault(stem(match["noun"]), set()).add(match["number"])
    return found


def contradicted(text: str, entries: Sequence[Entry]) -> str:
    """The paragraph that a sentence cites, where it says the opposite of what the sentence has it say, or sets another
    figure."""
    match = _STATES.search(_TITLES.sub(" ", text))
    cited = _paragraphs(match["number"], [entry for entry in entries if entry.policy]) if match else []
    if not match or not cited:
        return ""
    figures = atoms_of(match["what"], entries[0].page.now)
    if any(_other(atom, cited) for atom in figures):
        return cited[0].text
    return next((line.text for line in cited if opposite(match["what"], line.text)), "")


def cited_paragraphs(text: str) -> tuple[str, ...]:
    """How the lines of the paragraphs begin that a text cites by number."""
    return tuple(f"{number} " for number in _NUMBER.findall(text))


def _paragraphs(text: str, inside: Sequence[Entry]) -> list[Line]:
    begins = cited_paragraphs(fold(text))
    return [line for line in lines_of(inside) if begins and line.text.startswith(begins)]


def _counts(atom: Atom, line: Line) -> bool:
    """Whether a line has a number; that of "this one" counts nothing."""
    return atom.value in line.numbers and (atom.value != 1 or re.search(r"\b1\b", line.text[4:]) is not None)


def _other(atom: Atom, cited: Sequence[Line]) -> bool:
    """Whether these paragraphs have values of a kind, but not this one."""
    name = _HELD.get(atom.kind)
    if name is None:
        return False
    held = [float(value) for line in cited for value in getattr(line, name)]
    return bool(held) and not any(abs(float(str(atom.value)) - value) <= 0.02 * value for value in held)
