"""Polarity: does a claim deny what a passage of the pages tells, or tell what it denies?"""

import re
from collections.abc import Sequence
from functools import lru_cache

from longtrail.scoring.grounding.ledger import Entry
from longtrail.scoring.grounding.page import read_line
from longtrail.scoring.grounding.passages import Passage, clauses, sharing
from longtrail.scoring.grounding.rules import cited_paragraphs
from longtrail.scoring.grounding.wording import EXCEPTED, GRANTED, denials
from longtrail.scoring.grounding.words import EMPTY, content_of, stem, vocabulary
from longtrail.text.folding import fold

_DENYING = re.compile(
    r"\b(?:not?|never|none|nor|neither|without|nobody|nothing|nowhere|hardly|scarcely|barely|only|off|few|little|lacks?"
    r"|instead|rather|except|far|fail(?:ed|s)?|refused?|stopp?(?:ed|s)?|stays?|\w*less|un\w{4,}|disagree[sd]?)\b|n't\b"
)
"""Whatever may deny something, in whichever way: a passage without it surely tells what it speaks of."""
_DENIED = re.compile(r"(?:\b(?:not|never)\b|n't\b)(?! (?:only|just|merely|least|even|yet)\b)((?:\s+[a-z']+){1,4})")
_PASSED_OVER = re.compile(r"\bnot (?:only|just|merely|least|even)\b")
NEARLY, MOSTLY, HALF, SOME = 0.75, 0.6, 0.5, 0.34
FEW = 2
"""What more passages speak of is not told of in one way."""
MARGIN = 0.15
"""Passages that are so little less alike than the best one count as well."""


def reversed_polarity(text: str, source: str, inside: Sequence[Entry]) -> str:
    """The passage that a text turns round by denying it, or by leaving out that it denies; empty if there is none."""
    if EXCEPTED.search(fold(text)):
        return ""
    cited = cited_paragraphs(f"{source} {text}")
    return (
        next((line for clause in clauses(text) if (line := _clause(clause, inside, cited))), "")
        or _denies_what_is_told(text, inside)
        or _tells_what_is_denied(text, inside)
    )


def _clause(clause: str, inside: Sequence[Entry], cited: tuple[str, ...]) -> str:
    """The clause of a page that is almost the same, in the same order, but for one denial in one of the two."""
    wanted, mine = vocabulary(clause), denials(clause)
    if len(wanted) < 2 or mine > 1:
        return ""
    like: list[tuple[float, Passage]] = []
    for shared, passage in sharing(wanted, inside, 2, fine=True, cited=cited):
        held = len(passage.words)
        if shared >= NEARLY * held and shared >= MOSTLY * len(wanted) and (shared > 2 or passage.words == wanted):
            like.append((shared / (held + len(wanted) - shared), passage))
    best = max((share for share, _ in like), default=0.0)
    nearest = [passage for share, passage in like if share >= best - MARGIN]
    return nearest[0].text if nearest and all(_turned(clause, mine, passage) for passage in nearest) else ""


def _turned(clause: str, mine: int, passage: Passage) -> bool:
    shared = vocabulary(clause) & passage.words
    said, held = ([word for word in content_of(part) if word in shared] for part in (clause, passage.text))
    if said != held or {mine, denials(passage.text)} != {0, 1}:
        return False
    return _DENYING.search(GRANTED.sub(" ", fold(passage.text if mine else clause))) is None


@lru_cache(maxsize=16_384)
def _denied(text: str) -> tuple[str, ...]:
    """The first word with a meaning behind each `not` and `never` of a text."""
    found = []
    for match in _DENIED.finditer(_PASSED_OVER.sub(" ", fold(text))):
        found += [stem(word) for word in match[1].split() if word not in EMPTY and len(word) > 3][:1]
    return tuple(found)


def _others(wanted: frozenset[str], passage: Passage) -> tuple[int, float]:
    """How many words a passage shares beside the one in question, and which part of its own they are."""
    shared = len(passage.words & wanted) - 1
    return shared, shared / max(1, len(passage.words) - 1)


def _denies_what_is_told(text: str, inside: Sequence[Entry]) -> str:
    """`It was not bright enough for him` of what the only passage that has the word calls `too bright for him`."""
    wanted, days = vocabulary(text), read_line(text, inside[0].page.now.date()).dates if inside else frozenset()
    for word in _denied(text):
        every = [passage for _, passage in sharing(frozenset({word}), inside, 1)]
        there = [passage for passage in every if passage.line.dates & days] or every
        told = {passage.text: _others(wanted, passage) for passage in there}
        if not 0 < len(told) <= FEW or any(_DENYING.search(fold(passage.text)) for passage in there):
            continue
        if max(shared for shared, _ in told.values()) >= 1 and max(share for _, share in told.values()) >= HALF:
            return next(iter(told))
    return ""


def _tells_what_is_denied(text: str, inside: Sequence[Entry]) -> str:
    """`She called him back the same evening` where the only passages with the word say that she had not called."""
    if _DENYING.search(fold(text)):
        return ""
    wanted = vocabulary(text)
    denying = (passage for _, passage in sharing(wanted, inside, 3))
    for passage, word in ((p, word) for p in denying for word in _denied(p.text) if word in wanted):
        shared, share = _others(wanted, passage)
        if shared < 2 or share < SOME:
            continue
        there = [one for _, one in sharing(frozenset({word}), inside, 1)]
        if len({one.text for one in there}) <= FEW and all(_DENYING.search(fold(one.text)) for one in there):
            return passage.text
    return ""
