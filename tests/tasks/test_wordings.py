"""Wordings: other ways to ask for the same. `workshop/tests/validity/test_wordings.py` checks the shipped ones."""

from pathlib import Path

import pytest

from longtrail.errors import DataError
from longtrail.paths import TASKS
from longtrail.tasks.loading import read_entries
from longtrail.tasks.wordings import wordings


def test_a_wording_of_an_unknown_task_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "crowded_threads.yaml"
    file.write_text("nosuch: [Another text.]\n")
    with pytest.raises(DataError, match=r"crowded_threads\.yaml.*nosuch"):
        wordings(file, dict(read_entries(TASKS / "reddit" / file.name)))
