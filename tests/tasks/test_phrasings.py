"""Facts can be stated in the words that people use, and true statements assert no distractor."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from longtrail.clock import NOW
from longtrail.paths import TASKS
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask
from longtrail.text.matcher import find
from longtrail.text.statements import asserts, states
from longtrail.yaml_file import read_yaml

TASKS_BY_ID = {name: task for name, task in load_tasks(TASKS).items() if isinstance(task, DecisionTask)}
SHOP = {name: task for name, task in TASKS_BY_ID.items() if task.suite == "shopping_admin"}
STATEMENTS = read_yaml(Path(__file__).parent / "data" / "statements.yaml")
DELIVERED = ("It arrived on {day}.", "The parcel came on {day}.", "The customer received it on {day}.")
SENTENCES = {
    ("returns", "exchanges"): (
        "All of them were swapped for another size.",
        "Every return was a swap for another size.",
        "The returns were only size swaps.",
        "All returns were size exchanges.",
    ),
    ("linked", "accounts"): ("Two other customers use the same data.", "Two linked accounts exist."),
    ("linked", "refunds"): ("Each of these accounts was refunded already.", "Both linked accounts had refunds."),
    ("parcel", "trace", "delivered"): (
        "The trace confirmed the delivery.",
        "The carrier's investigation concluded that the parcel was delivered.",
    ),
    ("parcel", "trace", "open"): ("The trace is still pending.", "The tracer has no result yet."),
    ("goods", "unused"): ("The item came back unused.", "The goods are unused."),
    ("worn", "returns_worn"): ("Two previous returns were worn.", "Two earlier returns came back worn."),
}


def sentences(task: DecisionTask, fact_id: str, found: dict[str, dict[str, Any]]) -> Iterator[str]:
    """Sentences that people would write about a fact that establishes this."""
    fact = next(one for one in task.facts if one.id == fact_id)
    dates = [day for way in (*fact.shown, *fact.said) if not isinstance(way, str) for day in way.date]
    if dates and ("days" in found.get("goods", {}) or found.get("parcel", {}).get("scan") == "delivered"):
        day = date.fromisoformat(max(dates, key=dates.count))
        yield from (text.format(day=f"{day:%B} {day.day}") for text in DELIVERED)
    if returns := found.get("returns", {}).get("returns"):
        yield f"{returns} of them were returned."
    for (section, field, *value), texts in SENTENCES.items():
        settled = found.get(section, {}).get(field)
        if section == "returns":
            wanted = settled == max(one.get("returns", {}).get("returns", 0) for one in task.policy["found"].values())
        else:
            wanted = settled == (value[0] if value else (True if field == "unused" else 2))
        if wanted:
            yield from texts


@pytest.mark.parametrize("task", SHOP.values(), ids=SHOP.keys())
def test_the_usual_words_for_a_fact_count(task: DecisionTask) -> None:
    """Synonyms and another word order state the fact, too, and none of these sentences asserts a distractor."""
    for fact_id, found in task.policy.get("found", {}).items():
        fact = next(one for one in task.facts if one.id == fact_id)
        for text in sentences(task, fact_id, found):
            assert find((*fact.shown, *fact.said), text, NOW), (fact_id, text)
            tripped = [one.id for one in task.distractors if asserts(one.said, one.says, text, NOW)]
            assert not tripped, (text, tripped)


@pytest.mark.parametrize(("name", "written"), STATEMENTS.items(), ids=STATEMENTS.keys())
def test_natural_sentences_state_facts_and_assert_no_distractor(name: str, written: dict[str, Any]) -> None:
    """The sentences were written by a reader of the task, not from its `said`. True ones and denials cost nothing."""
    task = TASKS_BY_ID[name]
    facts = {fact.id: fact for fact in task.facts}
    for fact, texts in written["states"].items():
        ways = (*facts[fact].shown, *facts[fact].said)
        unsaid = [text for text in texts if not states(ways, facts[fact].says, text, NOW)]
        assert not unsaid, (fact, unsaid)
    for text in (*(text for texts in written["states"].values() for text in texts), *written.get("free", ())):
        tripped = [one.id for one in task.distractors if asserts(one.said, one.says, text, NOW)]
        assert not tripped, (text, tripped)


WRONG = [(name, fact) for name, written in STATEMENTS.items() for fact in written.get("wrong", ())]


@pytest.mark.parametrize(("name", "wrong"), WRONG)
def test_a_wrong_reading_states_no_fact(name: str, wrong: str) -> None:
    fact = next(fact for fact in TASKS_BY_ID[name].facts if fact.id == wrong)
    texts = STATEMENTS[name]["wrong"][wrong]
    assert [text for text in texts if states((*fact.shown, *fact.said), fact.says, text, NOW)] == []


def test_whose_telephone_it_is_does_not_say_how_many_were_refunded() -> None:
    """6.2 counts refunds among the linked accounts; that they share an office's telephone is another fact."""
    fact = next(one for one in TASKS_BY_ID["PW-033"].facts if one.id == "harbor")
    ways = (*fact.shown, *fact.said)
    assert not states(ways, fact.says, "The number is that of the harbor office at a boatyard.", NOW)
    assert states(ways, fact.says, "Only one of the accounts with that number was ever refunded.", NOW)
