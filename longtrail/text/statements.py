"""Statements: what a text of prose states, denies or gives as a reason. Read sentence by sentence."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from longtrail.text.alternatives import Alternative, Polarity
from longtrail.text.matcher import matches
from longtrail.text.negation import negators
from longtrail.text.resemblance import resembles, restates, same_claim
from longtrail.text.sentences import Sentence, is_pretence, plainly_false, sentences
from longtrail.text.synonyms import canonical, canonical_alternative


def states(
    alternatives: Sequence[Alternative], says: str, text: str, now: datetime, *, passages: Sequence[str] = ()
) -> bool:
    """Whether a text states a fact: a sentence or two consecutive ones contain one of its phrasings, or a sentence
    resembles the fact's own, or restates it and the pages' `passages` that tell it. Reports of what others say count;
    denials, questions and hypotheses don't. A sentence that nothing shows (`there is no evidence that ...`) states
    absences alone, and so does one that calls a claim false."""
    for stated, unproven in _stated(text):
        ways = filter(_is_absence, alternatives) if unproven else alternatives
        if any(_matches(way, stated, now) for way in ways):
            return True
        same = resembles(says, stated) or (bool(passages) and restates(says, passages, stated))
        if says and same and (not unproven or _is_absence(says)):
            return True
    return any(
        _matches(way, plainly_false(sentence.text), now, polarity="negated")
        for sentence in sentences(text)
        if sentence.false and not _calls_false(alternatives, says, sentence, now)
        for way in filter(_is_absence, alternatives)
    )


def denies(alternatives: Sequence[Alternative], says: str, text: str, now: datetime) -> bool:
    """Whether a text states the opposite of a fact: a sentence denies one of its phrasings, or calls it false."""
    return calls_false(alternatives, says, text, now) or any(
        _matches(way, sentence.text, now, polarity="negated")
        for sentence in sentences(text)
        if not (sentence.supposed or sentence.rule or sentence.false or sentence.unsaid)
        for way in alternatives
        if not (sentence.unproven and _is_absence(way))
    )


def calls_false(alternatives: Sequence[Alternative], says: str, text: str, now: datetime) -> bool:
    """Whether a text states a fact and explicitly calls it false."""
    return any(_calls_false(alternatives, says, sentence, now) for sentence in sentences(text))


def _calls_false(alternatives: Sequence[Alternative], says: str, sentence: Sentence, now: datetime) -> bool:
    if not sentence.false:
        return False
    claim = plainly_false(sentence.text)
    either = any(_matches(way, claim, now, asserted=False) for way in alternatives)
    return either or bool(says and resembles(says, sentence.text, denied=True))


def asserts(alternatives: Iterable[Alternative], says: str, text: str, now: datetime) -> Sentence | None:
    """The first sentence of a text in which the writer presents a claim as true: it contains one of the claim's
    phrasings or resembles the claim's sentence. Denials, questions, conditions, reports of what others say,
    descriptions of rules and what somebody only pretends to be don't count.
    """
    ways = tuple(alternatives)
    for sentence in sentences(text):
        if not sentence.own:
            continue
        among = tuple(filter(_is_absence, ways)) if sentence.unproven else ways
        same = same_claim(says, sentence.text) and (not sentence.unproven or _is_absence(says))
        if sentence.pretended:
            among, same = tuple(filter(_is_pretence, among)), same and is_pretence(says)
        if same or any(_matches(way, sentence.text, now) for way in among):
            return sentence
    return None


def _is_absence(way: Alternative) -> bool:
    """Whether a phrasing denies something by itself: `never refunded`."""
    return any(negators(text) for text in _texts(way))


def _is_pretence(way: Alternative) -> bool:
    return any(is_pretence(text) for text in _texts(way))


def _texts(way: Alternative) -> tuple[str, ...]:
    return (way,) if isinstance(way, str) else way.words


def _stated(text: str) -> Iterator[tuple[str, bool]]:
    """Each sentence that states something, alone and together with the next one; and whether it calls that unproven."""
    stated = [None if s.false or s.text.endswith("?") else s for s in sentences(text)]
    for place, sentence in enumerate(stated):
        if sentence is None:
            continue
        yield sentence.text, sentence.unproven
        following = stated[place + 1] if place + 1 < len(stated) else None
        if following is not None and sentence.unproven == following.unproven:
            yield f"{sentence.text.rstrip('.;! ')}, {following.text}", sentence.unproven


def _matches(
    way: Alternative, text: str, now: datetime, *, polarity: Polarity = "affirmed", asserted: bool = True
) -> bool:
    if matches(way, text, now, polarity=polarity, asserted=asserted):
        return True
    opposite: Polarity = "negated" if polarity == "affirmed" else "affirmed"
    if asserted and matches(way, text, now, polarity=opposite):
        return False  # synonyms can hide a denial: "could not be found" is "lost"
    plain = canonical(text)
    other = canonical_alternative(way)
    if plain == text and other == way:
        return False
    return matches(other, plain, now, polarity=polarity, asserted=asserted) is not None
