"""Loading: good files become tasks, bad ones an error that names file, field and what was expected."""

import json
import sys
from pathlib import Path

import pytest

from longtrail.errors import DataError
from longtrail.tasks.loading import checksum, load_tasks
from longtrail.tasks.shifts.plans import load_shifts
from longtrail.tasks.task import TASK
from longtrail.yaml_file import read_yaml
from tests.tables import tables_of
from tests.tasks.examples import decision, long_context

TABLES = tables_of(__file__)


def write(folder: Path, *entries: object, name: str = "tasks.yaml") -> Path:
    path = folder / name
    path.write_text(json.dumps(entries), encoding="utf-8")
    return path


def test_both_kinds_load_in_a_fixed_order(tmp_path: Path) -> None:
    write(tmp_path, decision(), long_context())
    assert list(load_tasks(tmp_path)) == ["tiny_lamp", "TINY-1"]


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (long_context(number=57), ["tiny_lamp", "number", "57"]),
        (long_context(topic="x"), ["tiny_lamp.topic: there is no such field here"]),
        (long_context(suite="other"), ["tiny_lamp", "other"]),
        (decision(hops=5), ["TINY-1", "hops"]),
        (load_shifts()["shift-shop-6-01"].model_dump(mode="json"), ["shift-shop-6-01.suite", "--variant"]),
        (decision(start="http://shopadmin.test/"), ["start"]),
        (decision(distractors=[]), ["distractors"]),
        (
            decision(reference={"path": [{"goto": "x", "back": True}], "justification": ""}),
            ["path.0", "exactly one action"],
        ),
    ],
)
def test_a_wrong_field_is_named(tmp_path: Path, entry: dict[str, object], words: list[str]) -> None:
    path = write(tmp_path, entry)
    with pytest.raises(DataError) as caught:
        load_tasks(tmp_path)
    assert str(caught.value).startswith(f"{path}: ")
    for word in words:
        assert word in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("change", "told"), TABLES["a_fault_in_a_task_for_an_app_is_told_in_plain_words"])
def test_a_fault_in_a_task_for_an_app_is_told_in_plain_words(
    tmp_path: Path, change: dict[str, object], told: str
) -> None:
    entry = {
        "suite": "app",
        "id": "refund",
        "category": "money",
        "app": {"address": "http://127.0.0.1:80"},
        "instruction": "Refund order 12.",
        "key_steps": [{"kind": "url", "name": "order", "paths": ["/orders/12"]}],
        **change,
    }
    path = write(tmp_path, {name: value for name, value in entry.items() if value is not None})
    with pytest.raises(DataError) as caught:
        load_tasks(tmp_path)
    assert str(caught.value).startswith(f"{path}: {told}")
    assert str(caught.value).count(", got ") <= 1


def test_a_fault_of_yaml_is_told_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "tasks.yaml"
    path.write_text("a: [b\nc: d\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load_tasks(tmp_path)
    assert "line 2" in str(caught.value)
    assert "unicode string" not in str(caught.value)


def test_an_id_is_given_once(tmp_path: Path) -> None:
    write(tmp_path, long_context(), name="a.yaml")
    write(tmp_path, long_context(), name="b.yaml")
    with pytest.raises(DataError, match=r"b\.yaml: tiny_lamp: another task has this id"):
        load_tasks(tmp_path)


@pytest.mark.parametrize(("text", "words"), TABLES["yaml_is_read_safely"])
def test_yaml_is_read_safely(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=words) as caught:
        read_yaml(path)
    assert str(path) in str(caught.value)


def test_a_missing_and_a_binary_file_are_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="can't be read"):
        read_yaml(tmp_path / "none.yaml")
    (tmp_path / "latin.yaml").write_bytes(b"a: \xe9")
    with pytest.raises(DataError, match="not UTF-8"):
        read_yaml(tmp_path / "latin.yaml")


def test_checksums_tell_contents_apart() -> None:
    one, other = TASK.validate_python(decision()), TASK.validate_python(decision(hops=2))
    assert checksum(one) == checksum(TASK.validate_python(decision())) != checksum(other)


def test_dates_stay_text(tmp_path: Path) -> None:
    path = tmp_path / "date.yaml"
    path.write_text("day: 2026-01-16\nat: 2026-01-16 10:00:00\n", encoding="utf-8")
    assert read_yaml(path) == {"day": "2026-01-16", "at": "2026-01-16 10:00:00"}


def test_only_true_and_false_are_truth_values(tmp_path: Path) -> None:
    path = tmp_path / "story.yaml"
    path.write_text("{on: 160485, said: no, fair: true, Off: False}", encoding="utf-8")
    assert read_yaml(path) == {"on": 160485, "said": "no", "fair": True, "Off": False}


def test_a_shipped_file_is_parsed_once_for_each_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if what was kept is damaged. A file with keys that JSON lacks is parsed each time."""
    monkeypatch.setattr("longtrail.yaml_file.PACKAGE", tmp_path)
    monkeypatch.setattr("longtrail.yaml_file.KEPT", tmp_path / "kept")
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path, kept = tmp_path / "a.yaml", tmp_path / "kept" / "a.yaml.json"
    path.write_text("day: 2026-01-16\n", encoding="utf-8")
    assert [read_yaml(path), read_yaml(path)] == [{"day": "2026-01-16"}] * 2
    kept.write_text(kept.read_text("utf-8").replace("2026", "2027"), encoding="utf-8")
    assert read_yaml(path) == {"day": "2027-01-16"}
    path.write_text("day: 2026-01-17\n", encoding="utf-8")
    assert [read_yaml(path), read_yaml(path)] == [{"day": "2026-01-17"}] * 2
    for damaged in ("[", "7", "[]"):
        kept.write_text(damaged, encoding="utf-8")
        assert read_yaml(path) == {"day": "2026-01-17"}
    path.write_text("1: one\n", encoding="utf-8")
    assert [read_yaml(path), read_yaml(path)] == [{1: "one"}] * 2
