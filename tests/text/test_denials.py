"""Denials: how phrasings and sentences with denials in them are read."""

import pytest

from longtrail.checks.facts import Distractor, Fact
from longtrail.clock import NOW
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask
from longtrail.text.alternatives import Atoms
from longtrail.text.matcher import matches
from longtrail.text.negation import negators
from longtrail.text.statements import asserts, denies, states

TASKS = [task for task in load_tasks().values() if isinstance(task, DecisionTask)]
THINGS = [(task.id, thing) for task in TASKS for thing in (*task.sought, *task.distractors)]


@pytest.mark.parametrize(
    ("way", "text"),
    [
        (Atoms(words=("nobody", "reached")), "Nobody could be reached."),
        (Atoms(words=("neither", "answered")), "Neither the calls nor the mail were answered."),
        (Atoms(words=("scan", "not", "changed address")), "The scan does not name the changed address."),
        (Atoms(words=("refunded before", "never")), "He was refunded before for a pack that never came."),
        (Atoms(words=("neither", "photo", "slip")), "There is neither a photo nor a slip."),
        ("costs nothing", "The lesson costs nothing."),
    ],
)
def test_a_denial_may_stand_apart_from_what_it_denies(way: str | Atoms, text: str) -> None:
    assert states((way,), "", text, NOW)
    assert not denies((way,), "", text, NOW)


def test_a_denial_that_stands_apart_must_deny_the_next_words() -> None:
    way = (Atoms(words=("nobody", "reached")),)
    assert not states(way, "", "She was reached at noon, and nobody else wrote.", NOW)


def test_every_phrasing_matches_its_own_words() -> None:
    """In their order or in reverse. A phrasing that can't match is useless."""
    ways = [(t, thing.id, way) for t, thing in THINGS for way in _phrasings(thing)]
    assert len(ways) > 5_000
    idle = [(t, name, way) for t, name, way in ways if not any(matches(way, text, NOW) for text in _spoken(way))]
    assert idle == []


def _phrasings(thing: Fact | Distractor) -> list[str | Atoms]:
    ways = (*getattr(thing, "shown", ()), *thing.said)
    return [way for way in ways if isinstance(way, str) or not set(way.model_dump(exclude_defaults=True)) - {"words"}]


def _spoken(way: str | Atoms) -> list[str]:
    if isinstance(way, str):
        return [way]
    return [joint.join(words) for words in (way.words, way.words[::-1]) for joint in (" ", ", ")]


@pytest.mark.parametrize("form", ["It is not true that {}.", "It is false that {}.", "I do not believe that {}."])
def test_to_call_the_opposite_of_an_absence_false_contradicts_nothing(form: str) -> None:
    ways = ("never worn", Atoms(words=("shell", "not worn")))
    assert not denies(ways, "The shell is unworn.", form.format("the shell was worn"), NOW)
    assert denies(ways, "The shell is unworn.", form.format("the shell was never worn"), NOW)


def test_an_unsupported_claim_of_the_opposite_contradicts_no_absence() -> None:
    text = "The claim that the shell was worn is not supported by the records."
    assert not denies(("never worn",), "The shell is unworn.", text, NOW)


def test_neither_nor_is_one_denial() -> None:
    assert states(("not answered",), "", "Neither the calls nor the mail were answered.", NOW)
    assert not states(("answered",), "", "Neither the calls nor the mail were answered.", NOW)
    assert len(negators("Neither the calls nor the mail were answered.")) == 1


@pytest.mark.parametrize(
    "text",
    [
        "An account takeover can be excluded.",
        "An account takeover is excluded.",
        "Two lines are fewer than the three needed for an account takeover.",
    ],
)
def test_what_is_excluded_or_falls_short_is_no_reason(text: str) -> None:
    assert not asserts(("account takeover",), "", text, NOW)


def test_not_to_somewhere_is_a_denial() -> None:
    text = "The parcel went to his usual address and not to a new address."
    assert not asserts(("new address",), "", text, NOW)
    assert asserts(("new address",), "", "It went to Boise, not to mention a new address.", NOW)


@pytest.mark.parametrize(
    "text",
    [
        "Until the trace confirms delivery or loss, nobody pays.",
        "Nobody pays until the trace has confirmed anything.",
        "Before a trace can be confirmed, nobody pays.",
    ],
)
def test_what_has_yet_to_happen_is_no_reason(text: str) -> None:
    ways = (Atoms(words=("trace", "confirms")), Atoms(words=("trace", "confirmed")))
    assert not asserts(ways, "", text, NOW)
    assert asserts(ways, "", "Nobody paid until the trace confirmed the delivery.", NOW)
