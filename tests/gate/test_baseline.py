"""Baseline files: they are read as they were written, also after a formatter. Every other change is noticed."""

import json
from pathlib import Path

import pytest

from longtrail.commands.main import main
from longtrail.errors import UsageError
from longtrail.gate.gate_report import gate_report
from longtrail.options.gate_rules import GateRules
from longtrail.runs.baseline import pooled, read_scores, scores_of, write_baseline
from longtrail.runs.manifest import new_manifest, write_manifest
from longtrail.runs.rescore import rescore_files
from longtrail.runs.store import Run
from tests.gate.made_scores import decision, scores, shop
from tests.made import case, decision_task, solved

SOME = scores([decision("PW-001", 1.0), decision("PW-002", 0.5, 1), decision("PW-003", None)], "main")
TASKS = {"PW-025": decision_task()}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A finished run of two cases."""
    options = {"observation": "axtree", "reports": str(tmp_path), "run": "main", "seed": 3}
    made = Run.create(tmp_path / "runs" / "main", new_manifest("main", options))
    for name in ("a", "b"):
        made.write_episode(solved(case=case(prompt="raw", id=name)))
    made.plan(["a", "b"])
    rescore_files(made, TASKS)
    made.close()
    return made


def test_a_file_comes_back_whatever_its_layout(tmp_path: Path) -> None:
    path = write_baseline(SOME, tmp_path / "deep" / "base.json")
    assert read_scores(path) == SOME
    assert sum('"outcome"' in line for line in path.read_text().splitlines()) == len(SOME.cases)
    path.write_text(json.dumps(json.loads(path.read_text()), indent=4).replace("\n", "\r\n"))
    assert read_scores(path) == SOME


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda text: text.replace('"proven":1.0', '"proven":0.0'), "checksum does not match"),
        (lambda text: text.replace('"failed"', '"passed"'), "checksum does not match"),
        (lambda text: text.replace('"sha256":"', '"sha256":"0'), "checksum does not match"),
        (lambda text: text[:-50], "is not a baseline file"),
        (lambda text: "", "is not a baseline file"),
        (lambda text: "[1]", "is not a baseline file"),
    ],
    ids=["value", "outcome", "sum", "torn", "empty", "other"],
)
def test_a_changed_file_is_refused(tmp_path: Path, spoil: object, words: str) -> None:
    path = write_baseline(SOME, tmp_path / "base.json")
    path.write_text(spoil(path.read_text()))  # type: ignore[operator]
    with pytest.raises(UsageError, match=words):
        read_scores(path)


def test_a_file_of_another_form_is_refused(tmp_path: Path) -> None:
    twice = SOME.model_copy(update={"cases": (*SOME.cases, SOME.cases[0])})
    lost = SOME.model_copy(update={"cases": (SOME.cases[0].model_copy(update={"contender": 4}),)})
    for number, wrong in enumerate((SOME.model_copy(update={"provenances": ()}), twice, lost)):
        with pytest.raises(UsageError, match="is not a baseline of form 1"):
            read_scores(write_baseline(wrong, tmp_path / f"{number}.json"))


def test_a_run_is_read_from_its_results(run: Run, tmp_path: Path) -> None:
    found = scores_of(run)
    assert [(scored.case.id, scored.outcome, scored.values["proven"]) for scored in found.cases] == [
        ("a", "passed", 1.0),
        ("b", "passed", 1.0),
    ]
    assert found.manifest.options == {"observation": "axtree", "seed": 3}
    assert found.missing() == ()
    assert read_scores(run.folder) == read_scores(write_baseline(found, tmp_path / "base.json"))
    run.plan(["a", "b", "c"])
    assert read_scores(write_baseline(scores_of(run), tmp_path / "base.json")).missing() == ("c",)
    run.results_file.unlink()
    with pytest.raises(UsageError, match="is not finished"):
        read_scores(run.folder)


def test_nothing_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="can't be read"):
        read_scores(tmp_path / "none.json")
    with pytest.raises(UsageError, match="can't be written"):
        write_baseline(shop({"PW-001": [1.0]}), Path("/dev/null/x.json"))


def test_the_command(run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["baseline", str(run.folder), "--out", str(tmp_path / "mine.json")]) == 0
    assert capsys.readouterr().out.startswith(f"2 cases in {tmp_path / 'mine.json'}, of main (")
    assert read_scores(tmp_path / "mine.json").name == "main"
    assert main(["baseline", str(tmp_path / "nowhere")]) == 4


def later_run(run: Run, name: str) -> Run:
    """Another run of the same cases, a day later and at another commit."""
    update = {"name": name, "started": "2099-01-01T00:00:00+00:00", "commit": "0123456789ab"}
    made = Run.create(run.folder.parent / name, run.manifest.model_copy(update=update))
    for trajectory in run.episodes():
        made.write_episode(trajectory)
    rescore_files(made, TASKS)
    made.close()
    return made


def test_several_runs_are_repeats_and_name_their_commits(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    second = later_run(run, "main-2")
    file = run.folder.parents[1] / "baselines" / "main.json"
    assert main(["baseline", str(second.folder), str(run.folder), "--out", str(file)]) == 0
    assert "main-2 (commit 0123456789ab, chain " in capsys.readouterr().out
    pool = read_scores(file)
    assert pool.problems == ()
    assert [(scored.case.id, scored.case.repeat) for scored in pool.cases] == [
        ("a", 0),
        ("b", 0),
        ("a-r1", 1),
        ("b-r1", 1),
    ]
    assert [source.name for source in pool.sources] == ["main", "main-2"]
    assert (pool.name, pool.missing()) == ("main-2", ())


def test_the_gate_takes_pooled_runs_as_repeats() -> None:
    once = {f"PW-{number:03}": [1.0] for number in range(10)}
    found = gate_report(pooled([shop(once, "first"), shop(once, "second")]), shop(once), GateRules())
    assert (found.verdict, found.suites[0].cases) == ("NO REGRESSION FOUND", (20, 10))
    assert found.suites[0].primary.scope == "these tasks"


def test_runs_with_other_settings_are_not_pooled(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    other = later_run(run, "other")
    write_manifest(other.folder, other.manifest.model_copy(update={"options": {"observation": "html", "seed": 3}}))
    assert main(["baseline", str(run.folder), str(other.folder)]) == 4
    assert "main and other can't be pooled: --observation: axtree in main, html in other" in capsys.readouterr().err


def test_an_edited_file_differs_from_its_run(run: Run) -> None:
    """Also if its checksum was made again."""
    file = run.folder.parents[1] / "baselines" / "main.json"
    scores = scores_of(run)
    assert read_scores(write_baseline(scores, file)).problems == ()
    worse = tuple(scored.model_copy(update={"outcome": "failed", "values": {"proven": 0.0}}) for scored in scores.cases)
    edited = write_baseline(scores.model_copy(update={"cases": worse}), file)
    assert read_scores(edited).problems == ("main.json was edited: it differs from its runs",)
    (run.folder / "SHA256SUMS").unlink()
    assert "the run has changed since this baseline was made" in read_scores(edited).problems[0]
