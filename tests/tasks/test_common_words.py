"""Common words: in any case, a fact counts if it is stated in the usual words for what it establishes."""

from typing import Any

import pytest

from longtrail.clock import NOW
from longtrail.paths import DATA, TASKS
from longtrail.tasks.common_words import with_common_words
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import DecisionTask
from longtrail.text.statements import states
from longtrail.yaml_file import read_yaml

TASKS_BY_ID = {name: task for name, task in load_tasks(TASKS).items() if isinstance(task, DecisionTask)}
FACT = {"id": "calls", "says": "Said.", "shown": ["told"], "said": ["told so"], "pages": ["order:1"]}


def _said(settled: dict[str, Any]) -> list[Any]:
    task = {"facts": [FACT], "policy": {"found": {"calls": settled}}}
    widened: list[Any] = with_common_words(task)["facts"][0]["said"]
    return widened


def test_a_fact_keeps_its_own_words_and_gets_those_of_what_it_settles() -> None:
    assert _said({}) == ["told so"]
    said = _said({"takeover": {"answered": False}})
    assert said[0] == "told so"
    assert {"words": ["verification", "unanswered"]} in said
    assert {"number": [11], "words": ["working days"]} in _said({"parcel": {"days": 11}})


def test_what_was_widened_is_not_widened_again() -> None:
    task = next(task for task in TASKS_BY_ID.values() if task.id == "PW-074")
    again = DecisionTask.model_validate(task.model_dump(mode="json"))
    assert again == task


@pytest.mark.parametrize("data", [{}, {"facts": None}, {"facts": [3]}, {"facts": [FACT], "policy": {"found": [1]}}, 7])
def test_what_is_no_task_is_left_to_the_schema(data: Any) -> None:
    assert with_common_words(data) == data


def test_every_field_of_the_file_is_settled_by_some_fact() -> None:
    """A field that no task has would be a spelling mistake."""
    settled = {
        f"{section}.{name}"
        for task in TASKS_BY_ID.values()
        for found in task.policy["found"].values()
        for section, fields in found.items()
        for name in fields
    }
    assert set(read_yaml(DATA / "text" / "findings.yaml")) <= settled


@pytest.mark.parametrize(
    ("task", "fact", "text"),
    [
        ("PW-100", "unanswered", "The owner has not replied to our verification."),
        ("PW-057", "reports", "There have been three complaints about wrong items."),
        ("PW-056", "closed", "The cause has been repaired."),
        ("context_personal_024", "paper", "There is a no-contact order against him."),
        ("PW-021", "tenure", "She has been a customer for nearly four years."),
        ("PW-013", "tenure", "The account is three years old."),
        ("PW-007", "linked", "Three accounts share one card and one phone number."),
        ("PW-089", "trace", "The USPS search is still open."),
        ("PW-089", "clean", "Total refunded on the account is $0.00."),
        ("PW-085", "clean", "A search of the credit memos for his name finds no records."),
        ("spam_cross_031", "on-file-since", "The account is more than six years old."),
        ("spam_cross_002", "pattern-terms", "Her pattern is free to use and change."),
        ("spam_cross_038", "fifty-four", "The pattern may not be changed or passed on."),
    ],
)
def test_common_words_state_the_fact(task: str, fact: str, text: str) -> None:
    one = next(each for each in TASKS_BY_ID[task].facts if each.id == fact)
    assert states((*one.shown, *one.said), one.says, text, NOW)


def test_figures_are_worked_out_from_the_value() -> None:
    said = _said({"account": {"months": 46}})
    assert {"words": ["account"], "duration": ["3 years"]} in said
    assert {"words": ["customer", "nearly"], "duration": ["4 years"]} in said
    assert {"number": [3], "words": ["accounts", "share"]} in _said({"linked": {"accounts": 2}})
    assert {"words": ["account"], "duration": ["6 years"]} in _said({"promotion": {"account_days": 2299}})


def test_nobody_says_nought_years_old() -> None:
    said = _said({"promotion": {"account_days": 11}})
    assert {"words": ["account"], "duration": ["11 days"]} in said
    assert not [way for way in said if "0 years" in str(way)]
