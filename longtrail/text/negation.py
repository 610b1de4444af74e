"""Negation: which words of a line deny which others. Text with an odd number of denials states the opposite."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from longtrail.text.atoms import tokenize
from longtrail.text.token import PUNCTUATION, Token

SINGLE = frozenset(
    {"not", "no", "never", "none", "neither", "nor", "without", "nobody", "nothing", "nowhere", "hardly", "scarcely"}
    | {"lack", "lacking", "lacked", "absence", "nil"}
)
DOUBLE = frozenset(
    {("rather", "than"), ("instead", "of"), ("free", "of"), ("far", "from"), ("fail", "to"), ("failed", "to")}
    | {("failing", "to"), ("failure", "to"), ("ruled", "out"), ("rule", "out"), ("ruling", "out"), ("no", "one")}
    | {("not", "yet"), ("no", "longer")}
)
NOT_DENYING = frozenset(
    {("not", "only"), ("not", "just"), ("not", "merely"), ("not", "simply"), ("not", "least")}
    | {
        ("no", "doubt"),
        ("no", "question"),
        ("no", "wonder"),
        ("no", "matter"),
        ("without", "doubt"),
        ("nothing", "but"),
    }
    | {("not", "necessarily")}
)
COMPARED = frozenset({"more", "later", "fewer", "less", "earlier"})
"""`no more than 5` and `no later than March 3` state a number; `no more parcels` is a denial."""
FALSE = frozenset(
    {"false", "untrue", "unfounded", "unlikely", "absent", "disproven", "refuted", "debunked", "baseless"}
)
AUXILIARIES = frozenset(
    {"is", "was", "were", "are", "be", "been", "has", "have", "had", "do", "does", "did", "can", "could", "will"}
    | {"would", "should", "may", "might", "must", "shall", "seem", "seems", "seemed", "look", "looks", "remain"}
)
BREAKS = frozenset(
    {"but", "however", "although", "though", "yet", "except", "because", "since", "so", "while", "whereas", "and"}
    | {"despite", "then", "therefore", "otherwise", "unless", "until", "to:"}
)
CONFIRMED = frozenset(
    {"found", "confirmed", "seen", "detected", "present", "there", "case", "observed", "supported", "proven", "proved"}
    | {"reported", "identified", "established", "involved", "likely", "possible", "true", "correct", "real", "evident"}
    | {"plausible", "indicated", "shown", "verified", "documented", "recorded", "made", "sent", "received", "given"}
    | {"issued", "due", "granted", "completed", "visible", "on", "in", "any", "substantiated", "corroborated"}
    | {"mentioned", "noted", "named", "stated", "told"}
    | {"demonstrated", "evidenced", "borne", "backed", "upheld", "what", "confirm", "show"}
)
"""Words after `was not ...` with which the thing itself is denied."""
POSSESSIVES = frozenset({"her", "his", "its", "their", "our", "my", "your", "these", "those", "all"})
_CLAUSE = AUXILIARIES | BREAKS | SINGLE | {"i", "he", "she", "it", "they", "we", "you", "who", "which", "that", "there"}
"""Words that are not part of a simple noun phrase."""
_TOTALS = frozenset({"total", "totals", "totalled", "come", "comes", "amount", "amounts", "sum", "sums", "equal"})
"""Words between a thing and its amount."""
_PAIRED = 3
"""Maximum number of words of each of two paired things."""
REACH = 14
"""Maximum number of words that a denial covers."""


@dataclass(frozen=True, slots=True)
class Negator:
    """A denial: its tokens, and the tokens that it covers (from, up to). `ends` are token positions."""

    first: int
    last: int
    reach: int


@lru_cache(maxsize=32_768)
def negators(line: str) -> tuple[Negator, ...]:
    """The denials in a line, in order; `neither A nor B` is one."""
    tokens = tokenize(line)
    found: list[Negator] = []
    position = 0
    while position < len(tokens):
        width = _width(tokens, position)
        if width and not _in_a_name(line, tokens[position], tokens[position + width - 1]):
            last = position + width - 1
            reach = _reach(tokens, last + 1)
            if _word(tokens, position) == "neither" and _word(tokens, reach) == "nor":
                width = reach - position + 1
                reach = _reach(tokens, reach + 1)
            found.append(Negator(position, last, reach))
        position += max(width, 1)
    return tuple(found)


def _in_a_name(line: str, first: Token, last: Token) -> bool:
    """Whether it is a name or part of one, and so not a denial: `Nils`, `larder_nils`, `no_new_tricks`."""
    if line[first.start : last.end].casefold() == "nils":
        return True
    return "_" in (line[first.start - 1 : first.start], line[last.end : last.end + 1])


def _word(tokens: Sequence[Token], position: int) -> str:
    inside = 0 <= position < len(tokens)
    return str(tokens[position].value) if inside and tokens[position].kind == "word" else ""


def _width(tokens: Sequence[Token], position: int) -> int:
    """Number of tokens of the denial at a position; 0: there is none."""
    token, word, following = tokens[position], _word(tokens, position), _word(tokens, position + 1)
    if _is_nothing(token):
        return 1
    if (word, following) in DOUBLE:
        return 2
    if word not in SINGLE or (word, following) in NOT_DENYING:
        return 0
    if word == "no" and following in COMPARED:
        bound = position + 2 < len(tokens) and (
            _word(tokens, position + 2) == "than" or tokens[position + 2].kind != "word"
        )
        return 0 if bound else 1
    if word == "not" and (_word(tokens, position - 1) == "or" or _infinitive(tokens, position + 1)):
        return 0  # "whether or not", "told him not to ask"
    return 1


def _infinitive(tokens: Sequence[Token], position: int) -> bool:
    """Whether `not to` asks for something not to be done, which denies nothing; `not to the desk` denies a place."""
    if _word(tokens, position) != "to":
        return False
    place = _word(tokens, position + 1) in POSSESSIVES | {"another", "any", "this", "that"}
    article = (
        position + 1 < len(tokens) and tokens[position + 1].start - tokens[position].end > 1
    )  # articles are no tokens
    return not (place or article)


def _is_nothing(token: Token) -> bool:
    """`0` or `$0.00`."""
    amount = token.value[1] if token.kind == "money" and isinstance(token.value, tuple) else token.value
    return token.kind in ("number", "money") and amount == 0


def _reach(tokens: Sequence[Token], start: int) -> int:
    """The end of the clause that begins at `start`: the position after its last token."""
    for position in range(start, min(len(tokens), start + REACH)):
        token = tokens[position]
        if token.kind in ("stop", "dash", "colon") or (token.kind == "word" and token.value in BREAKS):
            if _is_pair(tokens, start, position):
                continue
            return position
        if token.kind == "word" and token.value == "nor":
            return position
        if token.kind == "comma" and not _is_list(tokens, position):
            return position
    return min(len(tokens), start + REACH)


def _is_pair(tokens: Sequence[Token], start: int, position: int) -> bool:
    """Whether an `and` joins two denied things, as in `no proxy and VPN`, instead of beginning a new clause. This
    needs `no` or `without` before a few words without a verb, and a few more words to the end of the clause: `without
    photos and inspection.`
    """
    if _word(tokens, position) != "and" or _word(tokens, start - 1) not in ("no", "without"):
        return False
    ends = next((i for i in range(position + 1, len(tokens)) if tokens[i].kind in PUNCTUATION), len(tokens))
    between = (*tokens[start:position], *tokens[position + 1 : ends])
    few = position - start <= _PAIRED and 0 < ends - position - 1 <= _PAIRED
    return few and all(token.kind == "word" and token.value not in _CLAUSE for token in between)


def _is_list(tokens: Sequence[Token], comma: int) -> bool:
    """Whether a comma is part of a list that ends in `or`: `no refunds, chargebacks or complaints`."""
    for position in range(comma + 1, min(len(tokens), comma + REACH)):
        token = tokens[position]
        if token.kind in ("stop", "dash", "colon") or (token.kind == "word" and token.value in BREAKS):
            return False
        if token.kind == "word" and token.value == "or":
            return True
    return False


def denials(line: str, first: int, last: int) -> frozenset[int]:
    """The denials (by their first token) that apply to the tokens from `first` to `last`: those before that cover
    them, those among them, and those directly after (`... was not found`, `...: none`, `... is unlikely`). A count
    after `of` (`none of the 15 returns was late`) is presupposed, not denied.
    """
    tokens = tokenize(line)
    ahead = () if _taken_for_granted(tokens, first) else negators(line)
    found = {n.first for n in ahead if n.last < first < n.reach}
    found |= {n.first for n in negators(line) if first <= n.first <= last}
    if _word(tokens, first - 1) == "not" and (("not", _word(tokens, first)) in NOT_DENYING):
        found.add(first - 1)  # "not only a mess" denies "only a mess"
    behind = last + 1
    if _word(tokens, behind) in AUXILIARIES:
        found |= _behind_auxiliary(line, tokens, behind + 1)
    elif _word(tokens, behind) == "free" and tokens[behind].start - tokens[last].end <= 1:
        found.add(behind)  # "fraud-free"
    elif behind < len(tokens) and tokens[behind].kind == "colon":
        ends = behind + 2 >= len(tokens) or tokens[behind + 2].kind in ("stop", "comma", "dash")
        found |= {n.first for n in negators(line) if n.first == behind + 1 and n.first == n.last and ends}
    else:
        found |= _amounting(tokens, behind)
    return frozenset(found)


def _amounting(tokens: Sequence[Token], behind: int) -> set[int]:
    """The denial in `refunded $0.00`, `refunds on the account total $0.00`, `claims so far come to 0`."""
    if behind < len(tokens) and tokens[behind].kind == "money" and _is_nothing(tokens[behind]):
        return {behind}
    for position in range(behind, min(len(tokens) - 1, behind + _PAIRED + 1)):
        if _word(tokens, position) in _TOTALS:
            amount = position + 1 + (_word(tokens, position + 1) in ("to", "at"))
            return {amount} if amount < len(tokens) and _is_nothing(tokens[amount]) else set()
        if _word(tokens, position) in _CLAUSE or tokens[position].kind != "word":
            break
    return set()


def _taken_for_granted(tokens: Sequence[Token], first: int) -> bool:
    before = first - 2 if _word(tokens, first - 1) in POSSESSIVES else first - 1
    return tokens[first].kind in ("number", "money", "percent") and _word(tokens, before) == "of"


def _behind_auxiliary(line: str, tokens: Sequence[Token], position: int) -> set[int]:
    """The denial in `was not found`, `is unlikely`, `has never been confirmed`; none in `were not for defects`."""
    if _word(tokens, position) in FALSE:
        return {position}
    for negator in negators(line):
        if negator.first == position:
            rest = negator.last + 1
            while _word(tokens, rest) in ("been", "be", "being", "yet", "ever"):
                rest += 1
            ends = rest >= len(tokens) or tokens[rest].kind in PUNCTUATION
            whole = negator.first != negator.last  # "was ruled out", "is far from"
            return {position} if ends or whole or _word(tokens, rest) in CONFIRMED else set()
    return set()
