"""Sessions whose run is kept at an address: what was sent survives the machine, and another machine can resume it."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from longtrail.runs.checked import check_run
from longtrail.runs.object_store import Store, fetched
from longtrail.runs.store import Run
from tests.pytest_plugin.pytest_process import ROOT, environment, run_pytest

WORDS = ("-q", "-m", "raw and not appeal", "--task", "pw-025", "--task", "pw-055", "--run=night")
RESUME = (*WORDS[:-1], "--resume=night")


def episodes(store: Store) -> dict[str, int]:
    return {name: size for name, size in store.files().items() if name.startswith("episodes/")}


def machine(folder: Path) -> Path:
    """A folder with all that runs need of a clone, and reports of its own."""
    folder.mkdir(exist_ok=True)
    for name in ("benchmark_tests", "conftest.py", "fixtures", "markers.ini", "pyproject.toml"):
        (folder / name).symlink_to(ROOT / name)
    return folder


@pytest.mark.thorough
def test_a_machine_is_lost_and_another_one_goes_on(
    s3: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in s3.items():
        monkeypatch.setenv(name, value)
    here, other, third = (machine(tmp_path / name) for name in ("lost", "other", "third"))
    address = "s3://lab/sessions"
    store = Store(f"{address}/runs/night")
    command = [sys.executable, "-m", "pytest", "-p", "no:hypothesispytest", *WORDS, f"--reports={address}"]
    lost = subprocess.Popen(
        command,
        cwd=here,
        env=environment(**s3),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 300
    while not episodes(store) and time.monotonic() < deadline:
        assert lost.poll() is None
        time.sleep(0.1)
    os.killpg(lost.pid, signal.SIGKILL)
    lost.wait()
    sent = episodes(store)
    assert len(sent) == 1

    done = run_pytest(*RESUME, f"--reports={address}", cwd=other, env=environment(**s3))
    assert done.code == 0, done.said[-3000:]
    assert f"copy:        {store.address}" in done.out
    assert sent.items() <= episodes(store).items()
    with fetched(store) as folder:
        run = Run.open(folder)
        assert len(run.results()) == 2
        assert check_run(run).problems() == ()
        assert (folder / "index.html").is_file()
    again = run_pytest(*WORDS, f"--reports={address}", cwd=third, env=environment(**s3))
    assert again.code == 4
    assert "already contains a run" in again.err


@pytest.mark.slow
def test_a_store_that_can_not_be_written_ends_the_session_before_it_plays(s3: dict[str, str], tmp_path: Path) -> None:
    done = run_pytest(*WORDS, "--reports=s3://no-such-bucket/x", cwd=machine(tmp_path), env=environment(**s3))
    assert (done.code, done.err.strip().count("\n")) == (4, 0), done.said[-3000:]
    assert "s3://no-such-bucket/x/runs/night can't be" in done.err


@pytest.mark.thorough
@pytest.mark.parametrize("gated", [False, True])
def test_a_store_that_is_gone_at_the_end_leaves_the_whole_run_here(tmp_path: Path, gated: bool) -> None:
    """A copy that is not complete is told by the exit code, also if the gate has a verdict."""
    place = tmp_path / "kept"
    env = environment(LOST_PLACE=str(place))
    here = machine(tmp_path / "here")
    words = (*WORDS, f"--reports=file://{place}")
    if gated:
        main = run_pytest(*WORDS[:-1], "--run=main", cwd=here)
        assert main.code == 0, main.said[-3000:]
        words = (*words, "--baseline=main")
    done = run_pytest("-p", "tests.pytest_plugin.lost_place", *words, cwd=here, env=env)
    assert ("gate: NO REGRESSION FOUND" in done.out) == gated
    assert done.code == 4, done.said[-3000:]
    assert "can't be written: " in done.out
    assert "--resume=night sends what is missing" in done.out
    run = Run.open(here / "reports" / "runs" / "night")
    assert [result.outcome for result in run.results()] == ["passed"] * 2
    assert check_run(run).problems() == ()
