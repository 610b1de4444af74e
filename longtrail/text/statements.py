"""Statements: what a text of prose states, denies or gives as a reason. Read sentence by sentence."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from longtrail.text.alternatives import Alternative, Polarity
from longtrail.text.matcher import matches
from longtrail.text.resemblance import resembles, same_claim
from longtrail.text.sentences import Sentence, sentences
from longtrail.text.synonyms import canonical, canonical_alternative


def states(alternatives: Sequence[Alternative], says: str, text: str, now: datetime) -> bool:
    """Whether a text states a fact: one of its phrasings stands in a sentence or in two that follow each other, or a
    sentence resembles the fact's own. What somebody else says counts, what is denied, asked or supposed does not."""
    for passage in _passages(text):
        if any(_matches(way, passage, now) for way in alternatives) or (says and resembles(says, passage)):
            return True
    return False


def denies(alternatives: Sequence[Alternative], says: str, text: str, now: datetime) -> bool:
    """Whether a text states the opposite of a fact: a sentence denies one of its phrasings, or calls it false."""
    return calls_false(alternatives, says, text, now) or any(
        _matches(way, sentence.text, now, polarity="negated")
        for sentence in sentences(text)
        if not (sentence.supposed or sentence.rule)
        for way in alternatives
    )


def calls_false(alternatives: Sequence[Alternative], says: str, text: str, now: datetime) -> bool:
    """Whether a text tells a fact and says of it, in so many words, that it is not so."""
    return any(
        sentence.false
        and (
            any(_matches(way, sentence.text, now, asserted=False) for way in alternatives)
            or (says and resembles(says, sentence.text, denied=True))
        )
        for sentence in sentences(text)
    )


def asserts(alternatives: Iterable[Alternative], says: str, text: str, now: datetime) -> Sentence | None:
    """The first sentence of a text that puts a claim forward as true in the writer's own name: by one of its phrasings,
    or by resembling its own sentence. No denial, question or condition, nothing that others say, no telling of a rule.
    """
    ways = tuple(alternatives)
    for sentence in sentences(text):
        if sentence.own and (any(_matches(way, sentence.text, now) for way in ways) or same_claim(says, sentence.text)):
            return sentence
    return None


def _passages(text: str) -> Iterator[str]:
    """Each sentence that states something, and each with the next one."""
    stated = [None if s.false or s.text.endswith("?") else s.text for s in sentences(text)]
    for place, sentence in enumerate(stated):
        if sentence is None:
            continue
        yield sentence
        following = stated[place + 1] if place + 1 < len(stated) else None
        if following is not None:
            yield f"{sentence.rstrip('.;! ')}, {following}"


def _matches(
    way: Alternative, text: str, now: datetime, *, polarity: Polarity = "affirmed", asserted: bool = True
) -> bool:
    if matches(way, text, now, polarity=polarity, asserted=asserted):
        return True
    plain = canonical(text)
    other = canonical_alternative(way)
    if plain == text and other == way:
        return False
    return matches(other, plain, now, polarity=polarity, asserted=asserted) is not None
