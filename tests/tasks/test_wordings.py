"""Other wordings of requests tell what the shipped request tells, in other words."""

import re
from pathlib import Path

import pytest

from longtrail.errors import DataError
from longtrail.paths import TASKS
from longtrail.records.case import HARD
from longtrail.tasks.loading import read_entries, task_files
from longtrail.tasks.wordings import requests, wordings

ENTRIES = {
    name: (entry, file)
    for file in task_files(TASKS)
    for name, entry in read_entries(file)
    if entry["suite"] not in HARD
}
LENGTH = 0.6, 1.6
"""How long a wording may be, as a share of the shipped request's characters."""
REWORDED = [name for name, (entry, file) in ENTRIES.items() if len(requests(entry, file)) > 1]


@pytest.mark.parametrize("name", REWORDED)
def test_a_wording_tells_the_same(name: str) -> None:
    shipped, *others = [_texts(entry) for entry in requests(*ENTRIES[name])]
    assert len({shipped, *others}) == 1 + len(others) >= 3
    for other in others:
        for old, new in zip(shipped, other, strict=True):
            assert _values(new) == _values(old), new
            assert LENGTH[0] <= len(new) / len(old) <= LENGTH[1], new


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


def test_a_wording_of_an_unknown_task_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "crowded_threads.yaml"
    file.write_text("nosuch: [Another text.]\n")
    with pytest.raises(DataError, match=r"crowded_threads\.yaml.*nosuch"):
        wordings(file, TASKS / "reddit" / file.name)
