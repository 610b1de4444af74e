"""Frames: does a sentence give a page as where it has something from, or only talk of it?"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

from longtrail.scoring.grounding.words import listed
from longtrail.text.lexicon import singular
from longtrail.text.token import PUNCTUATION, Token

_SOURCE, _OPEN, _DENY = listed("from_there"), listed("open"), listed("deny")
_SAYING = listed("saying") | {singular(word) for word in listed("saying")}
"""With the forms that tokens have, which lose the s of a verb as well."""

_QUOTED = re.compile(r"[\"“][^\"“”]*[\"”]|(?<!\w)['‘][^'’]*['’](?!\w)")
_OWNER = re.compile(r"\s+(?:of|by|from|in)\s+(?:the |user |member )*\S+")
_SEEMING = frozenset({"appear", "appears", "appeared", "seem", "seems", "seemed"})
_BETWEEN = frozenset(
    ["itself", "also", "only", "clearly", "already", "alone", "then", "even", "of", "by", "on", "in", "from"]
)
_COMMA = re.compile(r"(?<=\d)(?:,| and) (?=(?:[A-Z][a-z]+ )?\d)")
"""The comma of a date, and what joins two."""
_HENCE = re.compile(r",? (?:hence|therefore|thus|which means)\b")
"""Behind it follows what is concluded, not what a page says."""
_THAT = re.compile(r",? and that\b")
"""What a page is made to say goes on: `that ... and that ...`."""
_JOINT = re.compile(
    r"[;–—(]|[:,](?!\d)|\s-\s|\b(?:and|but|so|since|because|while|whereas|which|who|whose|when|where|if|given|here|this|these|both)\b"
)
"""What may lead on to something else than the page says."""

_ASIDE = r"(?:\s*\([^)]*\))?(?:,[^,.;]{0,60},)?"
_SAYS = re.compile(
    rf"{_ASIDE},?\s+(?:(?:itself|also|only|clearly) )*(?:(?:appears?|seems?) to )?"
    rf"(?:{'|'.join(sorted(listed('saying')))}|offers?|offered|sells?|promises?|advertises?|asks?)\b"
)
_IN = re.compile(r"^\W*(?:in|on|under|according to|by|at|from) (?:the |a |her |his )?(?:\w+ )?$", re.I)

_LOOKED = re.compile(
    r"\bI (?:have |had )?(?:also |then |even |first )?(?:opened|looked (?:at|into|through|over)|read(?: through)?"
    r"|went (?:through|over|to|into)|checked|visited|pulled up|browsed|studied|reviewed|inspected|examined|searched)"
    r"(?: [\w'’-]+){0,3} $"
)

_READ = re.compile(r"I (?:also |then |even )?(?:read|saw|found|see|find)\b")

Frame = Literal["", "place", "speaker"]
"""How a page is named: not as a source; as where something stands; as what says it, so that the sentence is its."""


def frame(text: str, tokens: Sequence[Token], first: int, last: int) -> Frame:
    """How tokens first..last, the name of a page, are given: `in the ...`, `(...)`; `the ... shows`, `per the ...`.

    What is only wished for, denied or asked for is no source.
    """
    if open_or_denied(tokens, first):
        return ""
    if _bracketed(text, tokens[first].start, tokens[last].end):
        return "place"
    return _behind(text, tokens, first, last) or _ahead(text, tokens, first, last)


def made_to_speak(text: str, start: int, end: int) -> bool:
    """Whether a page named by its title or address speaks: `the thread <...> says`, `In the thread <...> ...`."""
    return bool(_SAYS.match(text[end:]) or _IN.match(text[:start]))


def _opens(tokens: Sequence[Token], last: int) -> bool:
    """Whether a comma soon follows: `On her profile page, ...`: all the sentence is said to stand there."""
    return any(token.kind == "comma" for token in tokens[last + 1 : last + 5])


def _passive(tokens: Sequence[Token], last: int) -> bool:
    """`By the front page it is shown that ...`, `From the notes of order 12 it was learned that ...`."""
    return any(t.value == "it" and u.value in ("is", "was") for t, u in pairwise(tokens[last + 1 : last + 9]))


def _that(tokens: Sequence[Token], last: int) -> bool:
    """Whether a clause follows that is said to stand there: `It is recorded in the comments of order 12 that ...`."""
    return any(token.value == "that" for token in tokens[last + 1 : last + 5])


def _ahead(text: str, tokens: Sequence[Token], first: int, last: int) -> Frame:
    """By what leads to the name."""
    for back in range(first - 1, max(-1, first - 6), -1):
        token = tokens[back]
        if token.kind in ("stop", "colon", "dash"):
            return "place" if token.kind == "colon" and back <= 2 else ""
        if token.value in _SOURCE and back <= 1 and _passive(tokens, last):
            return "speaker"
        if token.kind == "word" and token.value in _SOURCE:
            accorded = token.value in ("according", "per") or tokens[max(0, back - 1)].value == "according"
            opens = back == 0 and (_opens(tokens, last) or one_clause(text, tokens[last].end))
            return "speaker" if accorded or opens or _that(tokens, last) else "place"
        if token.kind == "word" and token.value in _SAYING:
            break
    return ""


def _behind(text: str, tokens: Sequence[Token], first: int, last: int) -> Frame:
    """By what follows the name."""
    on_record = tokens[last].value == "record" and tokens[last - 1].value == "on"
    if on_record:
        return ""
    if last + 1 < len(tokens) and tokens[last].value in _SAYING and tokens[last + 1].kind not in PUNCTUATION:
        return "speaker"  # "credit memo 157 records ..."
    past = _past_apposition(tokens, last + 1) if first <= 4 else last + 1
    past = max(past, _past_owners(text, tokens, last)) if first <= 2 else past
    if given := _says_from(tokens, first, last + 1):
        return given if given != "denied" else ""
    return "" if past == last + 1 or (given := _says_from(tokens, first, past)) == "denied" else given


def _says_from(tokens: Sequence[Token], first: int, start: int) -> Frame | Literal["denied"]:
    """Whether a verb of saying or a colon follows within a few words."""
    seeming = any(token.value in _SEEMING for token in tokens[start : start + 5])
    for ahead in range(start, min(len(tokens), start + 5 + 2 * seeming)):
        token = tokens[ahead]
        if token.kind == "colon":
            return "speaker" if first <= 3 else "place"
        if token.kind in ("stop", "comma"):
            break
        if token.kind == "word" and token.value in _SAYING:
            return "denied" if _denied_after(tokens, ahead) else "speaker"
    return ""


def read_there(text: str, tokens: Sequence[Token], last: int) -> bool:
    """Whether somebody says that they read something there: `In her thread in /f/Cooking I read that ...`."""
    at = _past_owners(text, tokens, last)
    return at < len(tokens) and _READ.match(text, tokens[at].start) is not None


def says_itself(text: str, tokens: Sequence[Token], last: int) -> bool:
    """Whether a verb of saying follows a name at once, or what it is of: `the thread on knots itself shows`."""
    strange, owner = 0, _OWNER.match(text, tokens[last].end)
    behind = owner.end() if owner else tokens[last].end
    for token in [token for token in tokens[last + 1 : last + 16] if token.start >= behind][:5]:
        if token.value in _SAYING:
            return True
        joined = text[token.start - 1 : token.start] == "_"  # a member's name is one word
        strange += token.kind == "word" and token.value not in _BETWEEN and not joined
        if strange > 1 or token.kind in PUNCTUATION:
            return False
    return False


def speaks_itself(text: str, tokens: Sequence[Token], first: int, last: int) -> bool:
    """Whether all of a sentence is one thing's that is named without its number: its verb follows, somebody
    read it there, or `according to` leads to it."""
    return says_itself(text, tokens, last) or read_there(text, tokens, last) or accorded(text, tokens[first].start)


def _past_apposition(tokens: Sequence[Token], at: int) -> int:
    """Behind what stands between commas after a name: `the orders grid, searched for 12, gives ...`."""
    commas = [i for i in range(at, min(len(tokens), at + 14)) if tokens[i].kind == "comma"]
    return commas[1] + 1 if len(commas) > 1 and commas[0] <= at + 4 else at


def _past_owners(text: str, tokens: Sequence[Token], last: int) -> int:
    """Behind what a page is of: `the opening post of 160122 in /f/Cooking announces ...`."""
    end = tokens[last].end
    while owner := _OWNER.match(text, end):
        end = owner.end()
    return next((at for at in range(last + 1, len(tokens)) if tokens[at].start >= end), last + 1)


def _denied_after(tokens: Sequence[Token], at: int) -> bool:
    return at > 0 and tokens[at - 1].kind == "word" and str(tokens[at - 1].value) in _DENY


def open_or_denied(tokens: Sequence[Token], first: int) -> bool:
    """Whether a wish, a condition or a denial leads to a token within its sentence."""
    for back in range(first - 1, max(-1, first - 8), -1):
        token = tokens[back]
        if token.kind in ("stop", "colon"):
            return False
        if token.kind == "word" and (token.value in _OPEN or token.value in _DENY):
            return True
    return False


def looked_at(text: str, start: int) -> bool:
    """Whether somebody says that they read what a place in a sentence names: `I also went through her submissions`."""
    return _LOOKED.search(text[:start]) is not None


def hypothetical(text: str, tokens: Sequence[Token]) -> bool:
    """Whether a sentence as a whole wishes, asks or supposes."""
    words = [str(token.value) for token in tokens if token.kind == "word"]
    asks = text.rstrip().endswith("?")
    return asks or (bool(words[:1]) and words[0] in ("if", "whether", "unless", "should", "please", "until"))


def accorded(text: str, start: int) -> bool:
    """Whether a page named at a place is the one that all of a sentence is `according to`."""
    return re.search(r"\b(?:according to|per)\b[^,;]*$", text[:start], re.IGNORECASE) is not None


def told(text: str) -> str:
    """A text without what it concludes."""
    return _HENCE.split(text)[0]


def one_clause(text: str, start: int) -> bool:
    """Whether what follows a place in a sentence is said in one go, so that all of it is one page's."""
    said = told(_QUOTED.sub(" ", text[start:]))
    return _JOINT.search(_THAT.sub(" ", _COMMA.sub(" ", said))) is None


def _bracketed(text: str, start: int, end: int) -> bool:
    left = text.rfind("(", 0, start)
    return left >= 0 and ")" not in text[left:start] and ")" in text[end:]
