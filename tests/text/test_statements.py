"""What prose states, denies and gives as a reason: counted over every fact and distractor of the shipped tasks."""

import re
from datetime import date

import pytest

from longtrail.checks.facts import Distractor, Fact
from longtrail.clock import NOW
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask
from longtrail.text.alternatives import Atoms
from longtrail.text.negation import negators
from longtrail.text.sentences import sentences
from longtrail.text.statements import asserts, calls_false, denies, states

TASKS = [task for task in load_tasks().values() if isinstance(task, DecisionTask)]
FACTS = [(task.id, fact) for task in TASKS for fact in task.sought]
DISTRACTORS = [(task.id, distractor) for task in TASKS for distractor in task.distractors]
EXEMPT = (
    "The report claims this: {}, which the records show to be wrong.",
    "According to the reporter {}, but nothing bears that out.",
    "It looks as if {}.",
    "It would be another matter if {}.",
    "7.2 needs proof that {}.",
    "Section 6 does not apply: nobody shows that {}.",
    "It is not true that {}.",
    "{}? The records don't say so.",
    "Ruled out: {}.",
    "I ruled this out: {}.",
    "Nothing shows that the day was wrong and that {}.",
    "The reporter implies that {}, but that is unproven.",
    "{} is a suspicion and not proven.",
    "The post raises the possibility that {}.",
    "The night desk fears that {}, but there is no report of that.",
    "She hints that {}, and nothing on the site proves it.",
)
"""Ways to mention a distractor without giving it as a reason."""
UNPROVEN = (
    "That {} cannot be confirmed.",
    "That {} could not be verified.",
    "That {} has never been substantiated.",
    "It cannot be confirmed that {}.",
    "There is no evidence that {}.",
    "I found no evidence that {}.",
    "I did not find any evidence that {}.",
    "I could not confirm that {}.",
    "The claim that {} is not supported.",
    "The claim that {} is not supported by the records.",
)
"""Ways to say that a statement is unproven."""
UNCONFIRMED = (
    "{} cannot be confirmed.",
    "{} could not be confirmed.",
    "{} has not been confirmed.",
    "{} could not be verified.",
    "{} could not be substantiated.",
    "{} could not be found.",
    "{} was not established.",
    "{} is not supported by the records.",
    "{} is not what the records show.",
    "There is no evidence of {}.",
)
"""The same for a phrase."""
REFUTING = (
    "{}, so the claim that it is otherwise is false.",
    "{}, so what he says is not true.",
    "{}, so it is not true that the post is right.",
    "{}, which makes the claim false.",
    "{}, which proves his claim wrong.",
    "{}, and the report is wrong.",
    "{}; the claim that it is otherwise is incorrect.",
    "It is not true that he is right: {}.",
    "It is false that he is right; {}.",
    "That is wrong, because {}.",
    "That is wrong: {}.",
)
"""Ways to give a fact as the reason why a claim is false."""
TURN = re.compile(
    r",\s+(?:and|but|so|yet|however|while|whereas|although|though|instead|because|since)\b|\s(?:but|whereas|although)\s"
)
LIES = ("It is a lie that {}.", "False: {}.", "{}, which never happened.", "{}. That is untrue.")


def _states(fact: Fact, text: str) -> bool:
    return states((*fact.shown, *fact.said), fact.says, text, NOW)


def _one_sentence(thing: Fact | Distractor) -> bool:
    return len(sentences(thing.says)) == 1


def _bare(thing: Fact | Distractor) -> str:
    return thing.says.rstrip(".")


def test_every_fact_is_recognised_in_its_own_sentence() -> None:
    assert [(task, fact.id) for task, fact in FACTS if not _states(fact, fact.says)] == []


def test_no_fact_is_taken_for_denied_by_its_own_sentence() -> None:
    ways = [(task, fact, (*fact.shown, *fact.said)) for task, fact in FACTS]
    denied = [(task, f.id) for task, f, w in ways if denies(w, f.says, f.says, NOW) and not _states(f, f.says)]
    assert denied == []


@pytest.mark.sampled(6, ci=3)
@pytest.mark.parametrize("form", EXEMPT)
def test_speaking_of_a_distractor_is_not_giving_it_as_a_reason(form: str) -> None:
    among = DISTRACTORS if form is EXEMPT[0] else [(task, d) for task, d in DISTRACTORS if _one_sentence(d)]
    assert len(among) > 700
    assert [(task, d.id) for task, d in among if asserts(d.said, d.says, form.format(_bare(d)), NOW)] == []


def _lower(text: str) -> str:
    return text[0].lower() + text[1:]


def _denies_something(thing: Fact | Distractor) -> bool:
    """Whether it is an absence. Such a fact is also stated by saying that nothing shows the opposite."""
    ways = (*getattr(thing, "shown", ()), *thing.said, thing.says)
    texts = [text for way in ways for text in ((way,) if isinstance(way, str) else way.words)]
    return any(negators(text) for text in texts)


@pytest.mark.sampled(6, ci=3)
@pytest.mark.parametrize("form", UNPROVEN)
def test_what_is_unproven_is_neither_a_reason_nor_stated(form: str) -> None:
    """Sentences with a second clause, such as after `, and`, are left out: that clause is a statement again."""

    def one(thing: Fact | Distractor) -> bool:
        return _one_sentence(thing) and not _denies_something(thing) and not TURN.search(thing.says)

    distractors = [(task, d) for task, d in DISTRACTORS if one(d)]
    assert len(distractors) > 300
    given = [(task, d.id) for task, d in distractors if asserts(d.said, d.says, form.format(_lower(_bare(d))), NOW)]
    assert given == []
    facts = [(task, fact) for task, fact in FACTS if one(fact)]
    assert len(facts) > 200
    assert [(task, f.id) for task, f in facts if _states(f, form.format(_lower(_bare(f))))] == []


@pytest.mark.sampled(6, ci=3)
@pytest.mark.parametrize("form", UNCONFIRMED)
def test_a_phrase_that_is_not_confirmed_is_no_reason(form: str) -> None:
    phrases = [(task, d, way) for task, d in DISTRACTORS for way in d.said if isinstance(way, str)]
    plain = [(task, d, way) for task, d, way in phrases if not negators(way)]
    assert len(plain) > 1000
    given = [(task, way) for task, d, way in plain if asserts(d.said, d.says, form.format(way), NOW)]
    assert len(given) <= (0.03 if form.endswith("of {}.") else 0.01) * len(plain), given


@pytest.mark.parametrize(
    "form", ["There is no evidence that he paid twice, and {}.", "He could not prove that it was new, but {}."]
)
def test_what_follows_something_unproven_is_stated(form: str) -> None:
    facts = [(task, fact, _lower(_bare(fact))) for task, fact in FACTS if _one_sentence(fact)]
    told = [(task, fact.id) for task, fact, says in facts if not _states(fact, form.format(says))]
    assert len(told) <= 0.01 * len(facts), told


def test_an_absence_is_stated_by_no_evidence_of_the_opposite() -> None:
    way = ("never refunded",)
    assert states(way, "He was never refunded.", "I found no evidence that he was refunded.", NOW)
    assert not states(("refunded",), "He was refunded.", "I found no evidence that he was refunded.", NOW)


def test_distractors_stated_plainly_are_held() -> None:
    """At least nine of ten. The others are worded as somebody else's words or as a rule."""
    held = [(task, d.id) for task, d in DISTRACTORS if asserts(d.said, d.says, d.says, NOW)]
    assert len(held) >= 0.9 * len(DISTRACTORS)


@pytest.mark.parametrize("form", LIES)
def test_a_fact_that_is_called_a_lie_is_not_stated(form: str) -> None:
    among = [(task, fact) for task, fact in FACTS if _one_sentence(fact) and not re.search(": | [-–] ", fact.says)]
    assert len(among) > 500
    assert [(task, fact.id) for task, fact in among if _states(fact, form.format(_bare(fact)))] == []


@pytest.mark.parametrize("form", LIES)
def test_a_fact_that_is_called_a_lie_is_contradicted(form: str) -> None:
    called = [(task, f.id) for task, f in FACTS if calls_false((*f.shown, *f.said), f.says, form.format(_bare(f)), NOW)]
    assert len(called) >= 0.94 * len(FACTS)


@pytest.mark.sampled(6, ci=3)
@pytest.mark.parametrize("form", REFUTING)
def test_a_fact_that_refutes_a_claim_is_stated_and_not_contradicted(form: str) -> None:
    among = [(task, fact) for task, fact in FACTS if _one_sentence(fact)]
    told = [(task, fact, form.format(_bare(fact))) for task, fact in among]
    assert [(task, f.id) for task, f, text in told if calls_false((*f.shown, *f.said), f.says, text, NOW)] == []
    assert [(task, f.id) for task, f, text in told if not _states(f, text)] == []


def _deliveries() -> list[tuple[str, Fact, str]]:
    found = []
    for task, fact in FACTS:
        for way in fact.said:
            if isinstance(way, Atoms) and way.date and way.words in (("delivered",), ("delivery",)):
                day = date.fromisoformat(way.date[0])
                found.append((task, fact, f"{day:%B} {day.day}"))
                break
    return found


@pytest.mark.parametrize(
    "form",
    [
        "The carrier left the parcel on {}.",
        "It arrived on {}.",
        "The parcel was handed over on {}.",
        "The driver dropped it off on {}.",
    ],
)
def test_delivery_can_be_told_in_any_words(form: str) -> None:
    facts = _deliveries()
    assert len(facts) > 40
    assert [(task, fact.id) for task, fact, day in facts if not _states(fact, form.format(day))] == []


@pytest.mark.parametrize("words", ["business days", "working days", "weekdays"])
def test_working_days_by_any_name(words: str) -> None:
    fact = next(fact for task, fact in FACTS if (task, fact.id) == ("PW-083", "sent"))
    assert _states(fact, f"It is 18 {words} since the carrier took it.")


def test_a_future_date_without_its_year() -> None:
    fact = Fact(
        id="day", says="The hearing is set.", shown=(Atoms(words=("hearing",), date=("2026-04-30",)),), pages=("x",)
    )
    assert _states(fact, "The hearing is on April 30.")


@pytest.mark.sampled(6, ci=1)
@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_references_state_every_fact_and_assert_no_distractor(task: DecisionTask) -> None:
    text = task.reference.justification
    assert [fact.id for fact in task.required if not _states(fact, text)] == []
    assert [d.id for d in task.distractors if asserts(d.said, d.says, text, NOW)] == []
    assert [f.id for f in task.required if calls_false((*f.shown, *f.said), f.says, text, NOW)] == []


@pytest.mark.parametrize(
    ("text", "stance"),
    [
        ("UPS lost it.", ""),
        ("UPS delivered it to the wrong address.", ""),
        ("She says that UPS lost it.", "reported"),
        ("If UPS lost it, we pay.", "supposed"),
        ("Did UPS lose it?", "supposed"),
        ("7.2 needs a closed cause.", "rule"),
        ("Section 6 does not apply: the boots are her old pair.", "rule"),
        ("It is a lie that UPS lost it.", "false"),
        ("UPS lost it. That never happened.", "false"),
        ("False! UPS lost it.", "false"),
        ("The label on it was wrong.", ""),
        ("This parcel was the one that they picked wrong.", ""),
        ("UPS lost it, and that is false.", "false"),
        ("Post by Nils contradicts Tariq.", ""),
    ],
)
def test_how_a_sentence_is_meant(text: str, stance: str) -> None:
    (sentence,) = sentences(text)
    assert [name for name in ("false", "supposed", "reported", "rule") if getattr(sentence, name)] == [stance] * bool(
        stance
    )
    assert sentence.own is not bool(stance)


def test_a_name_that_resembles_a_denial_denies_nothing() -> None:
    fact = Fact(id="lamps", says="Nils sells lamps.", shown=("sells lamps",), said=("sells lamps",), pages=("x",))
    assert _states(fact, "Nils sells lamps.")
    assert denies(fact.said, fact.says, "Nils does not sell lamps.", NOW)
    assert not denies(fact.said, fact.says, "Tariq says that Nils sells lamps.", NOW)


@pytest.mark.parametrize(
    ("text", "none"),
    [
        ("Refunds on the account total $0.00.", True),
        ("His account shows $0.00 refunded.", True),
        ("Refunds come to $0.", True),
        ("He was refunded $0.00 so far.", True),
        ("No credit memos.", True),
        ("Refunds on the account total $20.00.", False),
        ("His account shows $20.00 refunded.", False),
    ],
)
def test_nothing_is_also_told_as_an_amount(text: str, none: bool) -> None:
    ways = ("no refunds", "nothing refunded", "never refunded", "no credit memos")
    assert (states(ways, "", text, NOW), denies(ways, "", text, NOW)) == (none, not none)


def test_an_amount_of_nothing_is_a_value_like_others() -> None:
    assert states((Atoms(money=(826.05, 0.0)),), "", "| $826.05 | $0.00 |", NOW)
    assert states(("Phantom Blade",), "", "Phantom Blade Zero", NOW), "a name ends in a number"
