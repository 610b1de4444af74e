"""Sentences: splits prose into sentences, and tells how each is meant: stated, called false, hypothetical, reported,
or a rule."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from longtrail.paths import DATA
from longtrail.text.atoms import tokenize
from longtrail.text.folding import fold
from longtrail.yaml_file import read_yaml

_LINE = re.compile(r"\n|(?<=\.)\s+(?=(?:That|This|It)(?:'s| is| was| never)\b)")
"""The end of a line or, even after an abbreviation, of a sentence."""
_SEMICOLON = re.compile(r";(?=\s)")
_VERDICT = re.compile(r"\s(?:is|was) (?:\w+ly )?false\W*$")
_POINTING_BACK = re.compile(r"\W*(?:that|this|it|which|all|none)\b")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence, and how it is meant as a whole; several flags can be true."""

    text: str
    false: bool = False
    """It says that its statement is false."""
    supposed: bool = False
    """It is a question or hypothetical: it states nothing."""
    reported: bool = False
    """Somebody else says or thinks so."""
    unproven: bool = False
    """It says that nothing shows its statement. What is stated then is the absence: see `statements`."""
    unsaid: bool = False
    """It says that somebody leaves its statement unsaid."""
    pretended: bool = False
    """It says what somebody pretends to be."""
    rule: bool = False
    """It describes what a rule needs, or that a rule does not apply."""

    @property
    def own(self) -> bool:
        """Whether it is the writer's own statement, presented as true."""
        return not (self.false or self.supposed or self.reported or self.rule)


@cache
def _stance(name: str) -> re.Pattern[str]:
    """The expressions of one stance (data/text/stances.yaml) as one."""
    stances: dict[str, list[str]] = read_yaml(DATA / "text" / "stances.yaml")
    either = "|".join(stances[name])
    for word in ("not_so", "refute", "clause", "claim", "cannot", "prove"):
        either = either.replace(word.upper(), f"(?:{'|'.join(stances[word])})")
    return re.compile(rf"^\W*(?:{either})\W*$" if name == "alone" else either)


@lru_cache(maxsize=2048)
def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text in order. A line break, a full stop and a semicolon end one; so does the boundary
    between a part that calls a claim false and one that states something (`It was signed for, so the claim is false`).

    A sentence that only calls its neighbour false (`That is a lie.`, `False!`) is not a separate sentence.
    """
    pieces = [clause for line in _LINE.split(text) for piece in _cut(line) for clause in _clauses(piece)]
    alone = [_stance("alone").match(fold(piece)) is not None for piece in pieces]
    found = []
    for place, piece in enumerate(pieces):
        if not alone[place]:
            before = place > 0 and alone[place - 1] and not _points_back(pieces[place - 1])
            after = place + 1 < len(pieces) and alone[place + 1] and _points_back(pieces[place + 1])
            found.append(_read(piece, denied=before or after))
    return tuple(found)


@lru_cache(maxsize=4_096)
def plainly_false(sentence: str) -> str:
    """A sentence that calls something false, with `false` in place of each judgement that has a denial in it (`not
    true`, `I do not believe`): that denial is of the whole and not of the words behind it. A verdict at the end is left
    out, because it would deny the words before it: `That he paid is not true.`"""
    return _VERDICT.sub("", _stance("judged").sub("false", _lowered(sentence)))


def is_pretence(text: str) -> bool:
    """Whether a text says what somebody pretends to be: `poses as a customer`."""
    return _stance("pretended").search(fold(text)) is not None


def _points_back(piece: str) -> bool:
    """`That is false.` refers to the previous sentence, `False!` to the next one."""
    return _POINTING_BACK.match(fold(piece)) is not None


def _read(piece: str, *, denied: bool) -> Sentence:
    folded = fold(piece)
    return Sentence(
        text=piece,
        false=denied or _stance("false").search(folded) is not None,
        supposed="?" in piece or _stance("supposed").search(folded) is not None,
        reported=_stance("reported").search(folded) is not None,
        unproven=_stance("unproven").search(folded) is not None,
        unsaid=_stance("unsaid").search(folded) is not None,
        pretended=_stance("pretended").search(folded) is not None,
        rule=_stance("rule").search(folded) is not None,
    )


def _clauses(sentence: str) -> list[str]:
    """Split a sentence at semicolons and at the boundaries of a verdict on a claim."""
    found = []
    for part in _SEMICOLON.split(sentence):
        for clause in _divided(_stance("cut"), part):
            border = _stance("behind").match(_lowered(clause))
            found += [clause[: border.end()], clause[border.end() :]] if border else _unproven(clause)
    return [clause.strip() for clause in found if any(char.isalnum() for char in clause)]


def _unproven(clause: str) -> list[str]:
    """A clause that says that something is unproven, apart from what else it tells: `There is no proof that he paid,
    and order 12 is open`."""
    lowered = _lowered(clause)
    lead = _stance("unproven").search(lowered)
    if lead is None:
        return [clause]
    ahead = [*_stance("turn").finditer(lowered, 0, lead.start())][-1:]
    behind = _stance("turn").search(lowered, lead.end())
    start, end = (ahead[0].end() if ahead else 0), (behind.start() if behind else len(clause))
    parts = [clause[: ahead[0].start()] if ahead else "", clause[start:end], clause[behind.end() :] if behind else ""]
    return [part for part in parts if part]


def _divided(border: re.Pattern[str], text: str) -> list[str]:
    """A text without boundary marks."""
    pieces, start = [], 0
    for match in border.finditer(_lowered(text)):
        pieces.append(text[start : match.start()])
        start = match.end()
    return [*pieces, text[start:]]


def _lowered(text: str) -> str:
    """Folded if that keeps every character's position, otherwise only in lower case."""
    folded = fold(text)
    return folded if len(folded) == len(text) else text.lower()


def _cut(line: str) -> list[str]:
    pieces, start = [], 0
    for token in tokenize(line):
        if token.kind == "stop" and ";" not in str(token.value):
            pieces.append(line[start : token.end].strip())
            start = token.end
    pieces.append(line[start:].strip())
    return [piece for piece in pieces if any(char.isalnum() for char in piece)]
