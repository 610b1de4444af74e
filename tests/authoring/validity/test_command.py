"""`longtrail validate` on a user's own file."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from longtrail.commands.main import main
from tests.authoring.validity.test_faults import SEQUENCES, changed
from tests.pytest_plugin.pytest_process import ROOT


@pytest.mark.thorough
def test_the_command_says_file_field_and_message(tmp_path: Path) -> None:
    data = changed(SEQUENCES["ikea_favorites"], a2__instruction="Put three aside.").model_dump(mode="json")
    own = tmp_path / "mine.yaml"
    own.write_text(yaml.safe_dump([data]), encoding="utf-8")
    command = [sys.executable, "-m", "longtrail", "validate", str(own)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 4, done.stderr
    assert done.stdout.splitlines() == [
        f"{own}: ikea_favorites.a2.instruction: expected a start that refers to the first part (such as `a while ago`)"
    ]
    assert "1 fault in" in done.stderr


def test_either_tasks_or_shifts_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    for args in ([], [str(ROOT / "examples"), "--shifts", "7"]):
        assert main(["validate", *args]) != 0
        (line,) = capsys.readouterr().err.splitlines()
        assert "expected either a file or folder with tasks, or --shifts N" in line


def test_generated_shifts_are_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", "--shifts", "2"]) == 0
    assert capsys.readouterr().out == "4 generated shifts are valid\n"


def test_every_malformed_field_of_every_file_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    app = "{suite: app, id: %s, app: {address: 'http://127.0.0.1:9'}, instruction: x, %s}"
    (tmp_path / "a.yaml").write_text(
        f"- {app % ('one', 'key_steps: [{kind: text}], limits: 3')}\n- {app % ('two', 'start: /')}"
    )
    (tmp_path / "b.yaml").write_text("suite: app\nid: three\n  app: x")
    assert main(["validate", str(tmp_path)]) == 4
    told = capsys.readouterr()
    for text in ("one.key_steps.0.name", "one.key_steps.0.text", "one.limits", "two: expected key_steps", "b.yaml: "):
        assert text in told.out, told.out
    assert "5 faults in" in told.err
