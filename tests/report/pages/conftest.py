"""Fixtures of the site's tests: one reports folder for all of them, opened from its files in a real browser."""

from pathlib import Path

import pytest
from filelock import FileLock

from longtrail.records.result import Result
from longtrail.report.build import write_site
from tests.pytest_plugin.pytest_process import shared_folder
from tests.report.pages.made_runs import FOUR, gated, make_run, results, worse


def fell(one: Result, n: int) -> bool:
    """Whether a case becomes worse: all of the shop's, and two of three others."""
    return one.case.suite == "shopping_admin" or n % 3 > 0


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Runs: one of four contenders, one that fell and was gated by an earlier one, one with other settings, one that
    lost an episode."""
    folder = shared_folder(tmp_path_factory) / "site" / "reports"
    with FileLock(f"{folder.parent}.lock"):
        if not (folder / "leaderboard.html").exists():
            make_site(folder)
    return folder


def make_site(folder: Path) -> None:
    mine = results(["oracle"])
    make_run(folder, "four", results(), hour=1)
    before = make_run(folder, "main", mine, hour=2)
    after = make_run(folder, "change", [worse(one) if fell(one, n) else one for n, one in enumerate(mine)], hour=3)
    few = [result for result in results(FOUR[:1]) if result.case.prompt == "raw"]
    make_run(folder, "short", few, hour=0, observation="text")
    lost = make_run(folder, "lost", few[:4], hour=0)
    next((lost.folder / "episodes").iterdir()).unlink()
    gated(before, after)
    write_site(folder, {})
