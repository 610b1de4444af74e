"""`longtrail validate` on a file of one's own."""

import subprocess
import sys
from pathlib import Path

import pytest
import yaml

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
        f"{own}: ikea_favorites.a2.instruction: expected an opening that points back (such as `a while ago`)"
    ]
    assert "1 faults" in done.stderr
