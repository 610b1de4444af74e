"""A cassette returns the recorded answers, makes no calls, reports what is missing, and contains no key."""

import json
from pathlib import Path

import pytest

from longtrail.errors import HarnessTrouble
from longtrail.llm.cassette import Cassette
from longtrail.llm.client import Message
from tests.agents.views import Model

KEY = "sk-canary-of-the-cassette/+test"


def asking(text: str, **more: object) -> tuple[Message, ...]:
    return (Message(role="system", text="Rules."), Message.model_validate({"role": "user", "text": text, **more}))


@pytest.fixture
def model() -> Model:
    return Model(*(f"answer {number}\nof the model" for number in range(1, 9)))


def test_what_was_said_is_said_again(tmp_path: Path, model: Model) -> None:
    record, replay = Cassette(folder=tmp_path, mode="record"), Cassette(folder=tmp_path, mode="replay")
    said = record.around(model, 0).complete(asking("one"), max_tokens=50)
    assert replay.around(model, 0).complete(asking("one"), max_tokens=50) == said
    assert len(model.asked) == 1


def test_repeats_and_repetitions_are_kept_apart(tmp_path: Path, model: Model) -> None:
    record, replay = Cassette(folder=tmp_path, mode="record"), Cassette(folder=tmp_path, mode="replay")
    first, second = record.around(model, 0), record.around(model, 1)
    said = [first.complete(asking("one")), first.complete(asking("one")), second.complete(asking("one"))]
    assert len({reply.text for reply in said}) == 3
    third, fourth = replay.around(model, 0), replay.around(model, 1)
    assert [third.complete(asking("one")), third.complete(asking("one")), fourth.complete(asking("one"))] == said
    assert len(model.asked) == 3


@pytest.mark.parametrize("change", [{"max_tokens": 51}, {"json": True}])
def test_every_part_of_the_request_counts(tmp_path: Path, model: Model, change: dict[str, int]) -> None:
    Cassette(folder=tmp_path, mode="record").around(model, 0).complete(asking("one"), max_tokens=50)
    with pytest.raises(HarnessTrouble, match="cassette_miss"):
        Cassette(folder=tmp_path, mode="replay").around(model, 0).complete(
            asking("one"), **{"max_tokens": 50, **change}
        )


def test_pictures_are_noted_but_not_compared(tmp_path: Path, model: Model) -> None:
    Cassette(folder=tmp_path, mode="record").around(model, 0).complete(asking("one", images=(b"here",)))
    Cassette(folder=tmp_path, mode="replay").around(model, 0).complete(asking("one", images=(b"there",)))
    (file,) = tmp_path.glob("*/*.json")
    assert json.loads(file.read_text())["messages"][1]["pictures"][0].startswith("sha256:")


def test_a_long_beginning_is_written_once_and_read_back(tmp_path: Path, model: Model) -> None:
    history = "Task: something done before\n" * 400
    record = Cassette(folder=tmp_path, mode="record").around(model, 0)
    for turn in ("one", "two", "three"):
        record.complete(asking(history + turn, stable=len(history)))
    assert len(list(tmp_path.glob("*/beginnings/*.json"))) == 1
    assert all(path.stat().st_size < 2_000 for path in tmp_path.glob("*/*.json"))
    with pytest.raises(HarnessTrouble) as miss:
        Cassette(folder=tmp_path, mode="replay").around(model, 0).complete(
            asking(history + "four", stable=len(history))
        )
    assert "-one" in str(miss.value) or "-two" in str(miss.value) or "-three" in str(miss.value)
    assert "+four" in str(miss.value)
    assert len(str(miss.value).splitlines()) < 30


def test_a_miss_says_so_where_nothing_was_recorded(tmp_path: Path, model: Model) -> None:
    with pytest.raises(HarnessTrouble, match="has no exchange with model 'a-model'"):
        Cassette(folder=tmp_path, mode="replay").around(model, 0).complete(asking("one"))
    assert model.asked == []


def test_files_are_readable_and_hold_no_key(tmp_path: Path, model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    Cassette(folder=tmp_path, mode="record").around(model, 0).complete(asking(f"first line\nmy key is {KEY}, look"))
    (file,) = tmp_path.glob("*/*.json")
    text = file.read_text(encoding="utf-8")
    assert KEY not in text
    assert '"first line",\n    "my key is [key], look"' in text.replace("     ", "    ")
    replay = Cassette(folder=tmp_path, mode="replay").around(model, 0)
    assert replay.complete(asking(f"first line\nmy key is {KEY}, look")).text == "answer 1\nof the model"
