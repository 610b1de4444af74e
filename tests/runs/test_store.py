"""Store: nothing is lost, no incomplete file is read, one process controls a run, and rescoring gives equal bytes."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from longtrail.errors import DataError, HarnessTrouble, UsageError
from longtrail.records.case import training_line
from longtrail.records.trajectory import Trajectory, Trouble
from longtrail.runs.attempts import file_stem, read_episode
from longtrail.runs.manifest import new_manifest, settings
from longtrail.runs.rescore import rescore
from longtrail.runs.store import Run
from longtrail.scoring.score import score
from tests.gate.made_scores import manifest
from tests.made import case, decide, decision_task, investigation, solved, trajectory

TASKS = {"PW-025": decision_task()}


@pytest.fixture
def run(tmp_path: Path) -> Any:
    made = Run.create(tmp_path / "runs" / "first", new_manifest("first", {"seed": 0}))
    yield made
    made.close()


def episode(name: str, attempt: int = 0, **more: Any) -> Trajectory:
    return solved(case=case(prompt="raw", id=name), attempt=attempt, **more)


BROKEN = Trouble(kind="site_error", message="500")


def test_an_episode_comes_back_as_it_was(run: Run) -> None:
    kept = episode("pw-025-raw-r0")
    path = run.write_episode(kept)
    assert path == run.folder / "episodes" / "pw-025-raw-r0.a0.json"
    assert read_episode(path) == kept
    assert list(run.episodes()) == [kept]
    assert json.loads(path.read_bytes())["trajectory"]["case"]["id"] == "pw-025-raw-r0"


def test_the_latest_valid_attempt_wins(run: Run) -> None:
    for attempt, trouble in enumerate((BROKEN, None, BROKEN)):
        run.write_episode(episode("one", attempt, trouble=trouble))
    for attempt in range(11):
        run.write_episode(episode("two", attempt, trouble=BROKEN))
    run.write_episode(episode("three", 0, trouble=Trouble(kind="llm_refusal", message="no")))
    found = {one.case.id: one.attempt for one in run.episodes()}
    assert found == {"one": 1, "three": 0, "two": 10}
    assert list(found) == ["one", "three", "two"]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda data: data[:-40],
        lambda data: b"",
        lambda data: data[: len(data) // 2] + bytes([data[len(data) // 2] ^ 1]) + data[len(data) // 2 + 1 :],
        lambda data: data + b"\n",
        lambda data: data.replace(b'"sha256":"', b'"sha256":"0', 1),
        lambda data: b"[]",
        lambda data: data.replace(b"passed", b"failed") + b" ",
    ],
    ids=["torn", "empty", "bit", "longer", "sum", "other", "edited"],
)
def test_a_file_that_was_changed_is_put_aside_and_told(run: Run, spoil: Any) -> None:
    run.write_episode(episode("one", 0))
    path = run.write_episode(episode("one", 1))
    path.write_bytes(spoil(path.read_bytes()))
    assert [one.attempt for one in run.episodes()] == [0]
    assert run.quarantined[0][0] == "one.a1.json"
    assert (run.folder / "quarantine" / "one.a1.json").exists()
    assert not path.exists()


def test_missing_cases_are_named(run: Run) -> None:
    run.plan(["b", "a", "c"])
    run.write_episode(episode("a"))
    torn = run.write_episode(episode("b"))
    torn.write_bytes(torn.read_bytes()[:100])
    assert run.missing() == ("b", "c")
    assert Run.open(run.folder).manifest.cases == ("b", "a", "c")
    run.write_episode(episode("b", trouble=BROKEN))
    assert run.missing() == ("c",), "a case with nothing but trouble is not missing"
    assert [score(TASKS["PW-025"], one).outcome for one in run.episodes()] == ["passed", "invalid"]


def test_an_intact_episode_of_another_form_stays_where_it_is(run: Run) -> None:
    path = run.write_episode(episode("one").model_copy(update={"form": 99}))
    with pytest.raises(DataError, match="which this version reads"):
        list(run.episodes())
    assert path.exists()
    assert run.quarantined == []


TOO_MANY_FILES = """
import os, resource, sys
from pathlib import Path
from longtrail.errors import HarnessTrouble
from longtrail.runs.checked import check_run
from longtrail.runs.store import Run
run = Run.open(Path(sys.argv[1]))
files = run.attempts()["one"]
run.latest(files)  # what is imported late is there
resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/proc/self/fd")) - 1,) * 2)
try:
    run.latest(files)
except HarnessTrouble as trouble:
    print(trouble.kind, trouble.message, run.quarantined, flush=True)
"""


def test_an_intact_episode_stays_if_a_process_has_too_many_open_files(run: Run) -> None:
    path = run.write_episode(episode("one"))
    command = [sys.executable, "-c", TOO_MANY_FILES, str(run.folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("storage "), done.stdout + done.stderr
    assert "can't be read: Too many open files []" in done.stdout
    assert path.exists()
    assert not (run.folder / "quarantine").exists()


def test_results_are_sorted_and_come_back(run: Run) -> None:
    results = [score(TASKS["PW-025"], episode(name)) for name in ("b", "c", "a")]
    run.write_results(results)
    first = run.results_file.read_bytes()
    assert [one.case.id for one in run.results()] == ["a", "b", "c"]
    run.write_results(reversed(results))
    assert run.results_file.read_bytes() == first
    run.results_file.write_bytes(first + b"{}\n")
    with pytest.raises(DataError, match="line 4"):
        run.results()


def test_rescoring_gives_the_same_bytes(run: Run) -> None:
    for name in ("b", "a"):
        run.write_episode(episode(name))
    run.write_episode(trajectory((*investigation(), decide(4, "DENY")), case(prompt="hint", id="c")))
    run.write_results(score(TASKS["PW-025"], one) for one in run.episodes())
    first = run.results_file.read_bytes()
    run.write_results(rescore(Run.open(run.folder), TASKS))
    assert run.results_file.read_bytes() == first
    with pytest.raises(DataError, match="there is no task 'PW-025'"):
        rescore(run, {})


def test_the_manifest_says_what_was_meant(run: Run) -> None:
    manifest = Run.open(run.folder).manifest
    assert manifest.name == "first"
    assert manifest.options == {"seed": 0}
    assert manifest.packages["pydantic"]
    assert len(manifest.data) == 12


def test_a_run_that_was_refused_before_its_first_episode_is_replaced(run: Run) -> None:
    """Its name is free again, so that the corrected command works. A run with a single episode is not replaced."""
    run.write_results([])
    run.stop("refused")
    (run.folder / "gate.json").write_text("{}")
    run.close()
    again = Run.create(run.folder, new_manifest("x", {}))
    assert (again.stop_reason, (run.folder / "gate.json").exists(), again.manifest.name) == ("", False, "x")
    again.write_episode(episode("a"))
    again.write_results([])
    again.close()
    with pytest.raises(UsageError, match="already has a run"):
        Run.create(run.folder, new_manifest("x", {}))
    with pytest.raises(UsageError, match="no run here"):
        Run.open(run.folder.parent)


LOCKED = """
import sys
from pathlib import Path
from longtrail.errors import UsageError
from longtrail.runs.store import Run
try:
    Run.open(Path(sys.argv[1])).lock()
except UsageError as error:
    print(error)
else:
    print("mine")
"""


def lock_elsewhere(run: Run) -> str:
    done = subprocess.run([sys.executable, "-c", LOCKED, str(run.folder)], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_two_controllers_of_one_run_are_refused(run: Run) -> None:
    assert lock_elsewhere(run).endswith(f"is in use by process {os.getpid()}")
    Run.open(run.folder).write_episode(episode("a"))
    run.close()
    assert lock_elsewhere(run) == "mine"
    assert lock_elsewhere(run) == "mine", "the lock of a process that has ended is ignored"


def test_a_write_that_fails_leaves_nothing_behind(run: Run) -> None:
    first = run.write_episode(episode("a")).read_bytes()
    (run.folder / "episodes" / "b.a0.json").mkdir()
    with pytest.raises(HarnessTrouble, match="storage"):
        run.write_episode(episode("b"))
    assert sorted(path.name for path in (run.folder / "episodes").iterdir()) == ["a.a0.json", "b.a0.json"]
    assert (run.folder / "episodes" / "a.a0.json").read_bytes() == first


def picture(colour: str) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (64, 48), colour).save(out, "JPEG")
    return out.getvalue()


def test_a_screenshot_is_stored_once_as_webp(run: Run) -> None:
    one, again, other = (run.save_shot(picture(colour)) for colour in ("red", "red", "blue"))
    assert one == again != other
    assert sorted(path.name for path in run.shots.iterdir()) == sorted([one, other])
    with Image.open(run.shots / one) as stored:
        assert (stored.format, stored.size) == ("WEBP", (64, 48))


@given(st.text(min_size=1, max_size=400))
def test_any_name_becomes_a_file_name_within_its_folder(name: str) -> None:
    stem = file_stem(name)
    assert 0 < len(stem) <= 120
    assert stem.isascii()
    assert not set(stem) & set('/\\:*?"<>| \0\n')
    assert stem == stem.lower()
    assert stem[0] not in ".-"
    assert Path(stem).name == stem


@given(st.text(min_size=1, max_size=40), st.text(min_size=1, max_size=40))
def test_different_names_stay_different(one: str, other: str) -> None:
    assert (file_stem(one) == file_stem(other)) is (one == other)


@pytest.mark.parametrize(
    ("seed", "setting"), [(None, ()), (7, ("--variant 7",)), (100_007, ("--variant 100007 (for training)",))]
)
def test_a_training_variant_is_marked(seed: int | None, setting: tuple[str, ...]) -> None:
    assert settings(manifest(options={"variant": seed})) == setting
    assert bool(training_line(seed)) == (seed == 100_007)
