"""Other wordings of requests tell what the shipped request tells, in other words."""

import re

import pytest

from longtrail.authoring.validity.case_rules import guidance_is_silent
from longtrail.authoring.validity.long_context_rules import LONG_CONTEXT_RULES
from longtrail.paths import TASKS
from longtrail.tasks.choices import other_choices, shipped_choice
from longtrail.tasks.loading import task_files
from longtrail.tasks.task import TASK, DecisionTask, LongContextTask
from longtrail.tasks.twins import load_twins
from longtrail.variants.variant import requests
from longtrail.yaml_file import validate

REQUESTS = {name: (entries, file) for file in task_files(TASKS) for name, entries in requests(file).items()}
TWINS = load_twins()
LENGTH = 0.6, 1.6
"""How long a wording may be, as a share of the shipped request's characters."""
REWORDED = [name for name, (entries, _) in REQUESTS.items() if len(entries) > 1]


@pytest.mark.parametrize("name", REWORDED)
def test_a_wording_tells_the_same(name: str) -> None:
    shipped, *others = map(_texts, REQUESTS[name][0])
    assert len({shipped, *others}) == 1 + len(others) >= (3 if len(shipped) == 1 else 2)
    for other in others:
        for old, new in zip(shipped, other, strict=True):
            assert _values(new) == _values(old), new
            assert LENGTH[0] <= len(new) / len(old) <= LENGTH[1], new


@pytest.mark.parametrize("name", [name for name, (entries, _) in REQUESTS.items() if "a1" in entries[0]])
def test_each_wording_can_ask_for_each_choice(name: str) -> None:
    entries, file = REQUESTS[name]
    for reworded in entries[1:]:
        for chosen in (shipped_choice(reworded), *other_choices(reworded, file)):
            task = validate(TASK, chosen, file, name)
            assert isinstance(task, LongContextTask)
            assert [finding for rule in LONG_CONTEXT_RULES for finding in rule(task)] == []


@pytest.mark.parametrize("name", [name for name, (entries, _) in REQUESTS.items() if "trigger" in entries[0]])
def test_each_task_has_two_further_wordings_that_tell_nothing_of_either_twin(name: str) -> None:
    entries, file = REQUESTS[name]
    assert len(entries) >= 3
    for asked in entries[1:]:
        for task in (
            validate(TASK, asked, file, name),
            TWINS[f"{name}-twin"].model_copy(update={"trigger": asked["trigger"]}),
        ):
            assert isinstance(task, DecisionTask)
            assert list(guidance_is_silent(task)) == []


@pytest.mark.parametrize("name", REWORDED)
def test_a_wording_keeps_the_texts_that_choices_replace(name: str) -> None:
    entries, _ = REQUESTS[name]
    shipped, *others = map(_texts, entries)
    for text in {str(text) for choice in entries[0].get("choices", ()) for text in choice}:
        pattern = rf"(?<![^\W_]){re.escape(text)}(?![^\W_])"
        for other in others:
            assert [bool(re.search(pattern, part)) for part in other] == [
                bool(re.search(pattern, part)) for part in shipped
            ], text


def _texts(entry: dict[str, object]) -> tuple[str, ...]:
    if "trigger" in entry:
        return (" ".join(str(entry["trigger"]).split()),)
    parts = (entry["a1"], entry["a2"])
    return tuple(" ".join(part["instruction"].split()) for part in parts if isinstance(part, dict))


def _values(text: str) -> set[str]:
    """Numbers, addresses, forums and member names with an underscore."""
    addresses = set(re.findall(r"https?://\S+[\w/]|/f/\w+|\b\w+_\w+\b", text))
    plain = re.sub(r"https?://\S+", " ", text)
    return addresses | set(re.findall(r"#?\d[\d,.]*\d|\d", plain))
