"""Files that were written under the project's former name can still be read."""

import json
from pathlib import Path

import pytest

from longtrail.records.old_form import FORMER_NAME, upgraded
from longtrail.records.trajectory import Case, Trajectory
from longtrail.runs.manifest import Manifest, new_manifest
from tests.made import trajectory

KINDS = {"deceptive": "trick", "valid": "aid"}


def _aged(record: dict[str, object]) -> bytes:
    """The record in its old form."""
    text = json.dumps(record)
    text = (
        text.replace('"longtrail":', f'"{FORMER_NAME}":')
        .replace('"relocated":', '"moved":')
        .replace('"form": 2', '"form": 1')
    )
    for new, old in KINDS.items():
        text = text.replace(f'"appeal": "{new}"', f'"appeal": "{old}"')
    return text.replace('"disruptions":', '"web_weather":').encode()


@pytest.mark.parametrize(
    "case",
    [
        Case(id="a-0-r0", suite="long_context", task="a", noise_tokens=0, relocated=True),
        Case(id="b-r0", suite="reddit", task="b", prompt="raw", appeal="deceptive"),
        Case(id="c-r0", suite="reddit", task="c", prompt="raw", appeal="valid"),
        Case(id="d-r0", suite="shopping_admin", task="d", prompt="hint"),
    ],
    ids=lambda case: case.task,
)
def test_an_old_episode(case: Case) -> None:
    new = trajectory((), case)
    old = _aged(new.model_dump(mode="json"))
    assert FORMER_NAME.encode() in old
    assert Trajectory.model_validate_json(upgraded(old)) == new


def test_todays_files_are_left_alone() -> None:
    data = trajectory((), Case(id="a", suite="reddit", task="a")).model_dump_json().encode()
    assert upgraded(data) is data


def test_an_old_manifest(tmp_path: Path) -> None:
    new = new_manifest("run", {"disruptions": 4, "conditions": {"relocated": False}})
    assert Manifest.model_validate_json(upgraded(_aged(new.model_dump(mode="json")))) == new
