"""Checked run: dropped failures and edited results are noticed, and count."""

import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from longtrail.commands.main import main
from longtrail.gate.comparison import compare
from longtrail.gate.gate_report import gate_report
from longtrail.options.gate_rules import GateRules
from longtrail.records.trajectory import Contender, Trouble
from longtrail.report.leaderboard.board import boards
from longtrail.report.run.view import view_runs
from longtrail.report.submission import check_submission
from longtrail.runs.baseline import scores_of
from longtrail.runs.checked import check_again, check_run
from longtrail.runs.manifest import PlanEntry, new_manifest
from longtrail.runs.rescore import rescore_files
from longtrail.runs.store import Run
from longtrail.runs.sums import NAME, edited, seal
from longtrail.runs.under_way import read_under_way, record_begun_attempts, under_way
from tests.exploits.conftest import FORUM
from tests.made import case, decide, trajectory

NAMES, TASKS = ("one", "two", "three"), {FORUM.id: FORUM}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Three cases, all failed: the agent did nothing."""
    made = Run.create(tmp_path / "reports" / "runs" / "run", new_manifest("run", {}))
    contender = Contender(agent="my:agent")
    cells = [case(prompt="raw", id=name, suite=FORUM.suite, task=FORUM.id, repeat=n) for n, name in enumerate(NAMES)]
    made.plan(NAMES, [PlanEntry(case=cell, contender=contender) for cell in cells])
    for cell in cells:
        made.write_episode(trajectory((decide(1, "APPROVE"),), cell).model_copy(update={"contender": contender}))
    rescore_files(made, TASKS)
    made.close()
    return made


def drop_episode(run: Run) -> None:
    (run.folder / "episodes" / "two.a0.json").unlink()


def drop_everything(run: Run) -> None:
    drop_episode(run)
    (run.folder / "results" / "two.a0.json").unlink()
    lines = run.results_file.read_text().splitlines(keepends=True)
    run.results_file.write_text("".join(line for line in lines if '"id":"two"' not in line))


def tear_episode(run: Run) -> None:
    path = run.folder / "episodes" / "two.a0.json"
    path.write_bytes(path.read_bytes().replace(b"APPROVE", b"REMOVE_"))


def edit_results(run: Run) -> None:
    run.results_file.write_text(run.results_file.read_text().replace('"outcome":"failed"', '"outcome":"passed"', 1))


def invent_result(run: Run) -> None:
    text = run.results_file.read_text()
    run.results_file.write_text(text + text.splitlines()[0].replace('"id":"one"', '"id":"zero"') + "\n")


def edit_plan(run: Run) -> None:
    path = run.folder / "run.json"
    path.write_text(path.read_text().replace('"started": "2', '"started": "1', 1))


def forge_episode(run: Run) -> None:
    """Changes an episode, its checksum and the results made from it: all but the list of checksums."""
    kept = next(run.episodes())
    run.write_episode(kept.model_copy(update={"seconds": 77.5}))
    (run.folder / "results" / f"{kept.case.id}.a0.json").unlink()
    sums = (run.folder / NAME).read_bytes()
    rescore_files(run, TASKS)
    (run.folder / NAME).write_bytes(sums)


def edit_sums(run: Run) -> None:
    path = run.folder / NAME
    path.write_text(path.read_text().replace("episodes/two", "episodes/tow"))


LOST = [drop_episode, drop_everything, tear_episode]
EDITED = [edit_results, invent_result]


def commands(run: Run) -> dict[str, list[str]]:
    folder = str(run.folder)
    return {
        "report": ["report", "--reports", str(run.folder.parents[1])],
        "compare": ["compare", folder, folder],
        "baseline": ["baseline", folder, "--out", str(run.folder / "base.json")],
    }


def test_a_whole_run_has_no_problem(run: Run) -> None:
    checked = check_run(run)
    assert (checked.problems(), checked.missing, checked.changed) == ((), (), ())
    assert checked.counted == checked.results
    assert {name: main(words) for name, words in commands(run).items()} == {"report": 0, "compare": 0, "baseline": 0}
    assert scores_of(run).problems == ()


@pytest.mark.parametrize("change", LOST)
def test_a_loser_that_is_dropped_counts_as_invalid(
    run: Run, change: Callable[[Run], None], capsys: pytest.CaptureFixture[str]
) -> None:
    change(run)
    checked = check_run(run)
    assert checked.missing == ("two",)
    assert sorted((one.case.id, one.outcome) for one in checked.counted) == [
        ("one", "failed"),
        ("three", "failed"),
        ("two", "invalid"),
    ]
    (board,) = boards(view.board for view in view_runs(run.folder.parents[1]))
    (line,) = board.lines
    assert (line.row.cases, line.row.invalid, line.rank.note) == (3, 1, "incomplete")
    assert line.row.headline is not None
    assert line.row.headline.n == 3
    scores = scores_of(run)
    assert scores.missing() == ("two",)
    assert sorted((one.case.id, one.outcome) for one in scores.cases) == [
        ("one", "failed"),
        ("three", "failed"),
        ("two", "invalid"),
    ]
    (suite,) = compare(scores, scores).suites
    assert (suite.cases, suite.invalid) == ((3, 3), (1, 1))
    assert (suite.primary.tasks, suite.primary.pairs) == (1, 2)
    for name, words in commands(run).items():
        assert main(words) == 1, name
        assert "1 planned cases have no record, e.g. two" in capsys.readouterr().out


@pytest.mark.parametrize("change", EDITED)
def test_an_edited_list_is_noticed(run: Run, change: Callable[[Run], None], capsys: pytest.CaptureFixture[str]) -> None:
    change(run)
    assert len(check_run(run).changed) == 1
    assert boards(view.board for view in view_runs(run.folder.parents[1]))[0].lines[0].rank.note == "edited"
    for name, words in commands(run).items():
        assert main(words) == 1, name
        assert "do not belong to an episode of the run" in capsys.readouterr().out


@pytest.mark.parametrize("change", [*LOST, *EDITED])
def test_rescoring_says_so_and_mends_the_list(run: Run, change: Callable[[Run], None]) -> None:
    change(run)
    found = rescore_files(run, TASKS)
    assert bool(found.missing) == (change in LOST)
    assert found.changed or change is drop_everything
    assert check_run(run).changed == ()
    assert main(["rescore", str(run.folder)]) == (1 if change in LOST else 0)


@pytest.mark.parametrize("change", [edit_plan, forge_episode, edit_sums, *EDITED])
def test_a_file_that_was_changed_afterwards_is_told(
    run: Run, change: Callable[[Run], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """By the leaderboard and every command. A changed plan or episode is also told after the run is scored again."""
    assert edited(run) == ()
    change(run)
    assert boards(view.board for view in view_runs(run.folder.parents[1]))[0].lines[0].rank.note == "edited"
    for name, words in commands(run).items():
        assert main(words) == 1, name
        assert "changed after the end of the run" in capsys.readouterr().out, name
    for _ in range(2):
        found = rescore_files(run, TASKS)
        assert found.edited, "scoring again does not make it valid"
        if change in EDITED:
            break
    assert bool(edited(run)) == (change not in EDITED)


def test_sums_are_those_of_sha256sum(run: Run) -> None:
    done = subprocess.run(["sha256sum", "--check", "--quiet", NAME], cwd=run.folder, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (0, b"")


def test_a_whole_run_can_be_submitted(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """Apart from its data: a submission must be made with those of this version."""
    found = check_submission(run, TASKS)
    assert "agent my:agent: in-process" in found.notes
    assert [problem for problem in found.problems if not problem.startswith("made with data")] == []
    assert main(["submit-check", str(run.folder)]) == (1 if found.problems else 0)
    assert "agent my:agent: in-process" in capsys.readouterr().out


def add_attempts(run: Run) -> None:
    for number in range(1, 4):
        run.write_episode(next(run.episodes()).model_copy(update={"attempt": number}))


def add_troubled_attempts(run: Run) -> None:
    """Every case gets two attempts that trouble ended, before the one that counts."""
    for episode in list(run.episodes()):
        for number in range(2):
            spoilt = {"attempt": number, "trouble": Trouble(kind="worker_crash", message="it is gone")}
            run.write_episode(episode.model_copy(update=spoilt))
        run.write_episode(episode.model_copy(update={"attempt": 2}))
    rescore_files(run, TASKS)
    (run.folder / NAME).unlink()
    seal(run)


def test_replays_are_counted_shown_and_limited(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    before = scores_of(run)
    steps = sum(len(episode.steps) for episode in run.episodes())
    add_troubled_attempts(run)
    assert [(result.attempt, result.discarded_steps > 0) for result in run.results()] == [(2, True)] * 3
    (line,) = boards(view.board for view in view_runs(run.folder.parents[1]))[0].lines
    assert (line.row.replayed, line.row.discarded_steps) == (3, 2 * steps)
    assert main(commands(run)["report"]) == 0
    assert f"played again after trouble: 3 of 3 cases of my:agent, reddit ({2 * steps} steps discarded)" in (
        capsys.readouterr().out
    )
    found = gate_report(before, scores_of(run), GateRules())
    assert found.verdict == "INVALID"
    assert "3 of 3 cases of this run were played again after trouble, over the limit of 10 %" in found.reasons[0]


@pytest.mark.parametrize("change", EDITED)
def test_the_gate_decides_nothing_on_an_edited_run(run: Run, change: Callable[[Run], None]) -> None:
    before = scores_of(run)
    assert gate_report(before, before, GateRules()).verdict != "INVALID"
    change(run)
    found = gate_report(before, scores_of(run), GateRules())
    assert found.verdict == "INVALID"
    assert any("do not belong to an episode of the run" in reason for reason in found.reasons)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (drop_everything, "planned cases have no record"),
        (edit_results, "results differ when scored again"),
        (add_attempts, "were played again although an attempt was valid"),
        (add_troubled_attempts, "100 % of the cases were played again after trouble; the limit is 10 %"),
    ],
)
def test_what_a_maintainer_must_know(run: Run, change: Callable[[Run], None], told: str) -> None:
    change(run)
    assert any(told in problem for problem in check_submission(run, TASKS).problems)


def test_a_list_that_was_deleted_is_a_problem(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    (run.folder / NAME).unlink()
    assert any("SHA256SUMS, the list of the run's files, is missing" in line for line in check_run(run).problems())
    assert any("SHA256SUMS" in line for line in check_submission(run, TASKS).problems)
    assert rescore_files(run, TASKS).edited == (NAME,)


def test_an_episode_that_was_planted_in_quarantine_frees_no_line(run: Run) -> None:
    """A damaged file may be replaced, since its case is played again; an intact one may not."""
    path = run.folder / "episodes" / "one.a0.json"
    (run.folder / "quarantine").mkdir()
    (run.folder / "quarantine" / path.name).write_bytes(path.read_bytes())
    run.write_episode(next(run.episodes()).model_copy(update={"seconds": 77.5}))
    for _ in range(2):
        assert f"episodes/{path.name}" in rescore_files(run, TASKS).edited
    problems = check_submission(run, TASKS).problems
    assert f"quarantine has an intact episode: {path.name}" in problems


def test_attempts_that_had_begun_are_counted(run: Run) -> None:
    """The session was killed while it played a case, three times; each time the case was played again."""
    for steps in (4, 0, 7):
        with suppress(KeyboardInterrupt), under_way(run.folder, "two") as mark:
            mark.step(steps)
            raise KeyboardInterrupt
        record_begun_attempts(run.folder)
    assert check_run(run).begun == check_again(run).begun == {"two": [4, 0, 7]}
    assert read_under_way(run.folder) == {}
    rescore_files(run, TASKS)
    assert {one.case.id: one.attempt for one in scores_of(run).cases} == {"one": 0, "two": 3, "three": 0}
    notes = check_submission(run, TASKS).notes
    assert any("3 attempts with 11 steps discarded, 3 of them ended by a killed worker or session" in n for n in notes)
    (run.folder / "begun" / "two.0.json").unlink()
    assert "begun/two.0.json" in edited(run)
