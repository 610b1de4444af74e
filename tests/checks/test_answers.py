"""Answers: for every part that asks a question, right answers in natural words count, and wrong ones do not."""

from pathlib import Path

import pytest

from longtrail.checks.answers import Answer, missing
from longtrail.tasks.loading import load_tasks
from longtrail.tasks.task import LongContextTask
from longtrail.yaml_file import read_yaml

PHRASINGS: dict[str, dict[str, list[str]]] = read_yaml(Path(__file__).parent / "answer_phrasings.yaml")
ASKED: dict[str, tuple[Answer, ...]] = {
    f"{task.id} {name}": part.asks
    for task in load_tasks().values()
    if isinstance(task, LongContextTask)
    for name, part in (("a1", task.a1), ("a2", task.a2))
    if part.asks
}


def test_every_question_has_phrasings() -> None:
    assert PHRASINGS.keys() == ASKED.keys()
    assert len({name.split()[0] for name in ASKED}) == 28 + 24  # the paper's tasks, and those of `discovered`
    for each in PHRASINGS.values():
        assert len(each["right"]) >= 3
        assert each["wrong"]


@pytest.mark.parametrize(
    ("part", "answer"), [(part, text) for part, each in PHRASINGS.items() for text in each["right"]]
)
def test_a_right_answer_counts(part: str, answer: str) -> None:
    assert missing(ASKED[part], answer) == ()


@pytest.mark.parametrize(
    ("part", "answer"), [(part, text) for part, each in PHRASINGS.items() for text in each["wrong"]]
)
def test_a_wrong_answer_does_not(part: str, answer: str) -> None:
    assert missing(ASKED[part], answer)


@pytest.mark.parametrize("part", PHRASINGS)
def test_a_question_or_nothing_is_no_answer(part: str) -> None:
    assert len(missing(ASKED[part], "")) == len(ASKED[part])
    assert missing(ASKED[part], "I could not find out.")
