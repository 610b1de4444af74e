"""The wheel has what runs in other repositories need; `test_first_minutes.py` plays from it."""

import zipfile
from pathlib import Path

import pytest


@pytest.mark.thorough
def test_the_wheel_holds_what_it_needs(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for name in (
        "longtrail/py.typed",
        "longtrail/markers.ini",
        "longtrail/fixtures/episode.py",
        "longtrail/benchmark_tests/test_pathways.py",
        "longtrail/data/tasks/long_context/",
        "longtrail/web/sites/shopadmin/schema.sql",
        "longtrail/report/templates/leaderboard.html",
        "longtrail/agents/prompts/system.j2",
    ):
        assert any(entry.startswith(name) for entry in names), name
    assert not any(entry.startswith(("tests/", "reports/")) for entry in names)
