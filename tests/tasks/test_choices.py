"""Choices: the shipped task is the entry as it is written, and each other choice is a whole task of its own; and
the texts of other wordings."""

from pathlib import Path
from typing import Any

import pytest

from longtrail.errors import DataError
from longtrail.paths import TASKS
from longtrail.tasks.choices import other_choices, shipped_choice
from longtrail.tasks.loading import read_entries
from longtrail.variants.variant import wordings


def entry(**more: Any) -> dict[str, Any]:
    return {
        "id": "trip_to_rome",
        "title": "A trip to Rome",
        "carry": [{"id": "city", "said": ["Rome"]}],
        "a1": {
            "key_steps": [{"name": "tours", "paths": ["/Rome/d511"]}, {"name": "saved", "holds": {"tours/d511": 1}}]
        },
        "a2": {"reference": [{"click": {"name": "Rome"}}, {"finish": "Romeo of Rome, that is all."}]},
        **more,
    }


def chosen(choice: dict[Any, Any]) -> dict[str, Any]:
    (other,) = other_choices(entry(choices=[choice]), "trips.yaml")
    return other


def test_the_shipped_task_is_the_entry_without_its_choices() -> None:
    assert shipped_choice(entry(choices=[{"Rome": "Paris"}])) == entry()
    assert other_choices(entry(), "trips.yaml") == []


def test_a_text_is_replaced_everywhere_but_in_names_of_tasks_and_parts_of_words() -> None:
    other = chosen({"Rome": "Paris", "d511": "d479"})
    assert other["id"] == "trip_to_rome"
    assert other["title"] == "A trip to Paris"
    assert other["carry"][0]["said"] == ["Paris"]
    assert [step.get("paths") or step["holds"] for step in other["a1"]["key_steps"]] == [
        ["/Paris/d479"],
        {"tours/d479": 1},
    ]
    assert other["a2"]["reference"][1]["finish"] == "Romeo of Paris, that is all."


def test_texts_change_places_and_the_longest_comes_first() -> None:
    other = chosen({"A trip to Rome": "Two days in Rome", "Rome": "Paris"})
    assert other["title"] == "Two days in Rome"
    assert other["a2"]["reference"][0]["click"]["name"] == "Paris"


def test_a_field_is_replaced_by_its_path() -> None:
    other = chosen({"a1.key_steps.saved.holds": {"tours/d479": 2}, "a2.reference.-1.finish": "All."})
    assert other["a1"]["key_steps"][1]["holds"] == {"tours/d479": 2}
    assert other["a2"]["reference"][-1] == {"finish": "All."}
    assert entry()["a2"]["reference"][-1] != {"finish": "All."}


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("Venice", "no text 'Venice'"),
        ("om", "no text 'om'"),
        ("a1.key_steps.sold.holds", "no field a1.key_steps.sold.holds"),
        ("a2.reference.7.finish", "no field a2.reference.7.finish"),
    ],
)
def test_a_choice_that_fits_nothing_is_an_error(key: str, message: str) -> None:
    with pytest.raises(DataError, match=rf"trips.yaml: trip_to_rome.choices.0: the task has {message}"):
        chosen({key: "x"})


def test_a_wording_of_an_unknown_task_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "crowded_threads.yaml"
    file.write_text("nosuch: [Another text.]\n")
    with pytest.raises(DataError, match=r"crowded_threads\.yaml.*nosuch"):
        wordings(file, dict(read_entries(TASKS / "reddit" / file.name)))
