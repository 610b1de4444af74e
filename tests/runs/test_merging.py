"""Merging: parts that belong together become one run; others are refused in one line, and nothing is written."""

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from longtrail.commands.main import main
from longtrail.gate.findings import GateReport
from longtrail.llm.call_book import CallBook
from longtrail.llm.limits import CallEnd, CallRequest
from longtrail.records.trajectory import Contender
from longtrail.report.run.view import view_runs
from longtrail.report.submission import check_submission
from longtrail.runs.baseline import scores_of, write_baseline
from longtrail.runs.checked import check_run
from longtrail.runs.manifest import PlanEntry, new_manifest
from longtrail.runs.rescore import rescore_files
from longtrail.runs.store import Run
from longtrail.runs.sums import NAME, seal
from tests.exploits.conftest import FORUM
from tests.made import case, decide, trajectory
from tests.runs.test_checked import drop_episode, edit_results, forge_episode

KNOWN = {
    name: case(prompt="raw", id=name, suite=FORUM.suite, task=FORUM.id, repeat=number)
    for number, name in enumerate(("one", "two", "three", "four", "report_bug", "shots"))
}
CASES = dict(list(KNOWN.items())[:4])
"""The cases of the undivided run; the others are named like files and folders of a run."""
WHO = Contender(agent="my:agent")


def picture(name: str) -> bytes:
    """A different picture for each name."""
    out = io.BytesIO()
    Image.new("RGB", (8 + list(KNOWN).index(name), 8)).save(out, "PNG")
    return out.getvalue()


def played(folder: Path, mine: tuple[str, ...], shard: tuple[int, int] | None = None) -> Run:
    """A finished run of these cases, alone or as a shard."""
    options = {"shard": {"number": shard[0], "of": shard[1]} if shard else None, "seed": 0}
    run = Run.create(folder, new_manifest(folder.name, options))
    run.plan(mine, [PlanEntry(case=KNOWN[name], contender=WHO) for name in mine], CASES if shard else ())
    for name in mine:
        word = "APPROVE" if name == "one" else "ESCALATE"
        run.write_episode(trajectory((decide(1, word),), KNOWN[name]).model_copy(update={"contender": WHO}))
        run.save_shot(picture(name))
    (folder / "report.html").write_text(folder.name)
    ticket = CallBook(folder).admit(CallRequest(contender="my:agent", model="any", tokens=9, usd=0.1, asker="0")).ticket
    CallBook(folder).end(ticket, CallEnd(usd=len(mine) + len(folder.name) / 100))
    rescore_files(run, {FORUM.id: FORUM})
    run.close()
    return run


@pytest.fixture
def reports(tmp_path: Path) -> Path:
    """Two shards."""
    played(tmp_path / "runs" / "night-1of2", ("one", "four"), (1, 2))
    played(tmp_path / "runs" / "night-2of2", ("two", "three"), (2, 2))
    return tmp_path


def merge(reports: Path, *words: str) -> int:
    return main(["merge", "night-1of2", "night-2of2", f"--reports={reports}", *words])


def change_manifest(run: Run, **fields: Any) -> None:
    """Change the manifest as if the run had been made like this: its checksums are right."""
    path = run.folder / "run.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))
    (run.folder / NAME).unlink(missing_ok=True)
    seal(run)


def test_the_merged_run_is_that_of_one_machine(reports: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = played(reports / "alone" / "runs" / "night", tuple(CASES))
    assert merge(reports) == 0
    run = Run.open(reports / "runs" / "night")
    assert run.results_file.read_bytes() == whole.results_file.read_bytes()
    assert (run.manifest.cases, run.manifest.planned) == (whole.manifest.cases, whole.manifest.planned)
    assert run.manifest.options == {**whole.manifest.options, "run": "night", "balance": None}
    assert check_run(run).problems() == ()
    assert sorted(path.name for path in run.folder.glob("report*")) == ["report-1of2.html", "report-2of2.html"]
    assert len(list(run.shots.iterdir())) == 4
    assert f"4 cases of 2 parts in {run.folder}" in capsys.readouterr().out
    assert [one.name for one in view_runs(reports)] == ["night"], "parts of a merged run count once"
    files = {path: path.read_bytes() for path in run.folder.rglob("*.json*")}
    assert merge(reports) == 0, "the same parts again"
    assert {path: path.read_bytes() for path in run.folder.rglob("*.json*")} == files
    assert merge(reports, "--into=night-1of2") == 4
    assert "already contains a run" in capsys.readouterr().err


def test_all_shards_are_gated_at_once(reports: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With the gate's exit code and report; a baseline that can't be read is told before anything is written."""
    whole = played(reports / "alone" / "runs" / "night", tuple(CASES))
    baseline = write_baseline(scores_of(whole), reports / "base.json")
    assert merge(reports, f"--baseline={reports / 'nowhere.json'}") == 4
    assert merge(reports, f"--baseline={baseline}", "--margin=2") == 4
    assert not (reports / "runs" / "night").exists()
    assert merge(reports, f"--baseline={baseline}", "--gate=strict") == 6
    report = GateReport.model_validate_json((reports / "runs" / "night" / "gate.json").read_bytes())
    assert (report.verdict, report.suites[0].primary.pairs) == ("NO REGRESSION FOUND", 4)
    assert "gate: NO REGRESSION FOUND" in capsys.readouterr().out


@pytest.mark.parametrize("change", [{"data": "0123456789ab"}, {"options": {"seed": 0, "observation": "text"}}])
def test_a_baseline_that_can_t_be_compared_is_told_before_anything_is_written(
    reports: Path,
    change: dict[str, Any],
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    whole = played(reports / "alone" / "runs" / "night", tuple(CASES))
    change_manifest(whole, **change)
    baseline = write_baseline(scores_of(whole), reports / "base.json")
    job = tmp_path_factory.mktemp("job") / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(job))
    files = sorted(reports.rglob("*"))
    assert merge(reports, f"--baseline={baseline}") == 7
    assert "nothing was merged" in capsys.readouterr().out
    assert "INVALID" in job.read_text("utf-8"), "the job's page has the verdict"
    assert sorted(reports.rglob("*")) == files
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(job.parent))
    assert merge(reports, f"--baseline={baseline}") == 7
    assert f"{job.parent} can't be written: Is a directory" in capsys.readouterr().out


def test_pages_that_can_t_be_written_cost_only_the_pages(reports: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No user can write a file where a folder is. Permissions of a folder would not stop root."""
    whole = played(reports / "alone" / "runs" / "night", tuple(CASES))
    (reports / "leaderboard.html").mkdir()
    assert merge(reports, f"--baseline={whole.folder}") == 4
    said = capsys.readouterr()
    assert "gate: NO REGRESSION FOUND" in said.out
    assert "can't be written" in said.err or "Is a directory" in said.err
    assert "`longtrail report` writes its pages" in said.err
    assert said.err.count("\n") == 1
    (reports / "leaderboard.html").rmdir()
    assert merge(reports, f"--baseline={whole.folder}") == 0
    assert (reports / "leaderboard.html").is_file()


def test_what_a_killed_download_left_is_not_merged(reports: Path) -> None:
    left = reports / "runs" / "night-1of2" / ".fetch-abc"
    left.mkdir()
    (left / "0").write_text("half")
    assert merge(reports) == 0
    assert not (reports / "runs" / "night" / ".fetch-abc").exists()


WRONG: list[tuple[Callable[[Run], object], str]] = [
    (lambda run: run.results_file.unlink(), "results.jsonl: the run is not finished; run `pytest ... --resume="),
    (lambda run: (run.folder / NAME).unlink(), "results.jsonl: the run is not finished"),
    (drop_episode, "cases: 1 of 2 have no record, e.g. two;"),
    (forge_episode, "files: 3 files were changed after the end of the run, e.g. episodes/three.a0.json"),
    (edit_results, "files: 1 results that do not belong to an episode of the run"),
    (lambda run: change_manifest(run, data="0123456789ab"), "data: is 0123456789ab, and"),
    (lambda run: change_manifest(run, longtrail="9.9"), "longtrail: is 9.9, and"),
    (lambda run: change_manifest(run, code="0123456789ab"), "code: is 0123456789ab, and"),
    (lambda run: change_manifest(run, packages={"litellm": "0.1"}), "package litellm: is 0.1, and"),
    (
        lambda run: change_manifest(run, options={"shard": {"number": 2, "of": 2}, "seed": 5}),
        "seed: is 5, and 0 in night-1of2",
    ),
    (
        lambda run: change_manifest(run, options={"shard": {"number": 2, "of": 3}, "seed": 0}),
        "shard: is 2/3, and night-1of2 is 1/2",
    ),
    (
        lambda run: change_manifest(run, options={"shard": {"number": 1, "of": 2}, "seed": 0}),
        "shard: 1/2 is given twice, by night-1of2 too",
    ),
    (lambda run: change_manifest(run, options={"seed": 0}), "shard: this run was made without --shard"),
    (lambda run: change_manifest(run, whole=("one", "two", "three")), "plan: has 3 cases, and 4 in night-1of2"),
    (lambda run: change_manifest(run, cases=("one", "three")), "cases: one is planned by night-1of2 too"),
    (lambda run: change_manifest(run, cases=("three",)), "plan: two is in the plan or in a shard, but not in both"),
    (lambda run: change_manifest(run, cases=()), "cases: none is planned"),
]


@pytest.mark.parametrize(("change", "told"), WRONG, ids=[told.partition(":")[0] + told[-9:] for _, told in WRONG])
def test_what_does_not_belong_together_is_refused(
    reports: Path, change: Callable[[Run], object], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    change(Run.open(reports / "runs" / "night-2of2"))
    files = sorted(reports.rglob("*"))
    assert merge(reports) == 4
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert told in said.err
    assert said.err.startswith("longtrail: night-"), said.err
    assert sorted(reports.rglob("*")) == files, "nothing is written"


def test_each_machine_has_its_own_addresses(reports: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Servers of models and judges, and sites and apps, may be elsewhere for each shard; the rest must agree."""

    def options(number: int, **other: Any) -> dict[str, Any]:
        host = f"http://10.0.0.{number}"
        own = {"model_args": {"api_base": host, "top_p": 1}, "judge_args": {"base_url": host}, "sites": {"shop": host}}
        return {"shard": {"number": number, "of": 2}, "seed": 0, **own, **other}

    one, two = (Run.open(reports / "runs" / f"night-{number}of2") for number in (1, 2))
    change_manifest(one, options=options(1))
    for name, value in (("model_args", {"top_p": 0}), ("judge_args", {"top_p": 0}), ("sites", {"forum": ""})):
        change_manifest(two, options=options(2, **{name: value}))
        assert merge(reports) == 4
        assert f"night-2of2: {name}: is " in capsys.readouterr().err
    change_manifest(two, options=options(2))
    assert merge(reports) == 0, capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("night-1of2",), "night-1of2: shard: 2 of 2 is missing"),
        (("night-1of2", "night-1of2"), "night-1of2: shard: 1/2 is given twice"),
        (("night-1of2", "nowhere"), "nowhere: there is no such run"),
        (("night-1of2", "night-2of2", "--into=Not a name"), "--into: expected a name of"),
    ],
)
def test_a_hole_a_double_and_a_wrong_name_are_refused(
    reports: Path, words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["merge", *words, f"--reports={reports}"]) == 4
    assert told in capsys.readouterr().err
    assert len(list((reports / "runs").iterdir())) == 2


def test_other_runs_of_the_same_shards_are_named(reports: Path) -> None:
    played(reports / "runs" / "again-2of2", ("two", "three"), (2, 2))
    assert merge(reports) == 0
    merged = Run.open(reports / "runs" / "night")
    assert merged.manifest.left_out == ("again-2of2",)
    problems = check_submission(merged, {FORUM.id: FORUM}).problems
    assert "other runs of the same shards were left out: again-2of2" in problems
