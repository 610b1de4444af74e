"""Labelled claims of others: read with clear errors, judged against a run's episodes, told with the reasons."""

from pathlib import Path

import pytest

from longtrail.authoring.claims.labelled import judge_claims, read_claims, shown
from longtrail.commands.main import main
from longtrail.errors import DataError
from longtrail.records.trajectory import Trouble
from longtrail.runs.store import Run, new_manifest
from tests.made import case, decision_task, solved, trajectory

TASKS = {"PW-025": decision_task()}
GOOD = """
PW-025:
  supported:
    - [order 600 page, "15 returns, all size exchanges"]
  synthetic:
    - [order 600 page, "16 returns, all size exchanges"]
    - "There were 15 returns."
pw-025-second:
  fabricated_source:
    - [order 777 page, "15 returns"]
"""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Two cases of one task that were solved, and one that is invalid."""
    made = Run.create(tmp_path / "run", new_manifest("run", {}))
    made.write_episode(
        trajectory((), case(prompt="raw", id="pw-025-a"), trouble=Trouble(kind="site_error", message=""))
    )
    for name in ("pw-025-first", "pw-025-second"):
        made.write_episode(solved(of=case(prompt="raw", id=name)))
    made.close()
    return made


def written(folder: Path, text: str) -> Path:
    path = folder / "claims.yaml"
    path.write_text(text)
    return path


def test_claims_are_judged_by_what_was_delivered(run: Run, tmp_path: Path) -> None:
    judged = judge_claims(run, TASKS, written(tmp_path, GOOD))
    assert [one.finding.kind for one in judged] == ["supported", "synthetic", "supported", "fabricated_source"]
    text = shown(judged)
    assert "PW-025: synthetic judged supported" in text
    assert "There were 15 returns." in text
    assert "16 returns" not in text
    assert "4 claims" in text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{}", "holds no claim"),
        ("PW-025: {wrong: [a]}", "wrong"),
        ("PW-025: {supported: [[a, b, c]]}", "PW-025"),
        ("PW-025: {supported: a}", "PW-025"),
        ("PW-099: {supported: [a]}", "PW-099: run holds no valid episode"),
        ("pw-025-a: {supported: [a]}", "pw-025-a: run holds no valid episode"),
        ("[1", "claims.yaml"),
    ],
)
def test_what_is_wrong_is_told(run: Run, tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(DataError, match=says):
        judge_claims(run, TASKS, written(tmp_path, text))


def test_a_pair_is_evidence_and_a_sentence_prose(tmp_path: Path) -> None:
    parts = [(one.label, one.claim.part) for one in read_claims(written(tmp_path, GOOD))]
    assert parts == [
        ("supported", "evidence"),
        ("synthetic", "evidence"),
        ("synthetic", "justification"),
        ("fabricated_source", "evidence"),
    ]


def test_the_command_ends_with_one_line(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["claims", str(run.folder), str(written(tmp_path, "PW-099: {supported: [a]}"))]) == 4
    assert capsys.readouterr().err.count("\n") == 1
