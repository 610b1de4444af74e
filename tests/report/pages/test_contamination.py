"""Contamination on the leaderboard: a contender's scores on the shipped tasks and in a variant, paired by task."""

from pathlib import Path

from longtrail.report.leaderboard.page import leaderboard_files
from longtrail.report.run.view import view_runs
from longtrail.runs.checked import checked_anew
from tests.report.pages.made_runs import make_run, results, worse


def test_a_contender_that_does_worse_in_a_variant_is_told(tmp_path: Path) -> None:
    of = results()
    make_run(tmp_path, "shipped", of)
    make_run(tmp_path, "varied", [worse(result) for result in of], hour=1, variant=7)
    page = leaderboard_files([*view_runs(tmp_path, checked_anew)])["leaderboard.html"]
    assert 'id="contamination"' in page
    assert "+100.0" in page.partition('id="contamination"')[2]
    assert "compare.html#a=shipped" in page.partition('id="contamination"')[2]


def test_without_a_variant_there_is_no_such_part(tmp_path: Path) -> None:
    make_run(tmp_path, "one", results())
    assert "contamination" not in leaderboard_files([*view_runs(tmp_path, checked_anew)])["leaderboard.html"].lower()
