"""A worker of a cluster: what it gets, how it plays units in a session of its own, and what it sends."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from longtrail.errors import HarnessTrouble, UsageError
from longtrail.options.flags import FLAGS
from longtrail.options.run_options import Options
from longtrail.pytest_plugin.controller import create
from longtrail.pytest_plugin.remote.outbox import Outbox, attempts_of, put
from longtrail.pytest_plugin.remote.setup import (
    CHROMIUM,
    NOT_SENT,
    check_paths,
    chromium,
    not_sent,
    refusal,
    setup_for,
    versions,
)
from longtrail.pytest_plugin.remote.worker import local_id
from longtrail.records.trajectory import Contender
from longtrail.runs.store import Run
from longtrail.runs.under_way import no_longer_under_way
from tests.pytest_plugin.pytest_process import ROOT, process, run_pytest


def config(root: Path, started: Path, *args: str, **given: object) -> Any:
    """Those parts of pytest's config that are read here."""
    option = SimpleNamespace(**{flag.pytest_option: None for flag in FLAGS} | given)
    params = SimpleNamespace(dir=started, args=args)
    return SimpleNamespace(rootpath=root, invocation_params=params, option=option)


def test_places_are_told_as_they_are_named_from_where_pytest_was_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("LONGTRAIL_CHROMIUM", "/opt/chromium")
    root, started = tmp_path / "project", tmp_path / "project" / "evals"
    started.mkdir(parents=True)
    run = create(tmp_path / "runs" / "mine", Options(contenders=(Contender(agent="oracle"),), reports=tmp_path))
    run.close()
    words = ("mine", f"{root}/tests/test_it.py::test[a/b]", "/elsewhere", "-q", "--reports=/tmp/x")
    setup = setup_for(config(root, started, *words), run)
    assert setup.args == ("mine", "../tests/test_it.py::test[a/b]", "/elsewhere", "-q", "--reports=/tmp/x")
    assert setup.folder == "evals"
    assert setup.environment["OPENAI_API_KEY"] == "secret"
    assert "LONGTRAIL_CHROMIUM" not in setup.environment, "each machine has its own"
    assert set(setup.files) == {"run.json"}


def test_reports_stay_here_wherever_they_are(tmp_path: Path) -> None:
    assert not_sent(tmp_path, tmp_path / "lab" / "runs") == [*NOT_SENT, "/lab/runs"]
    assert not_sent(tmp_path / "project", tmp_path / "reports") == list(NOT_SENT)


def test_a_path_that_other_machines_do_not_have_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check_paths(config(tmp_path, tmp_path, longtrail_noise_pool=Path("pool"), longtrail_reports=Path("/tmp/x")))
    for path in (tmp_path / "pool", Path("../pool")):
        with pytest.raises(UsageError, match="name it by a relative path inside of"):
            check_paths(config(tmp_path, tmp_path, longtrail_noise_pool=path))


HERE = {"Longtrail": "1.0", "code": "abc", "data": "def", CHROMIUM: "Chromium 150"}


@pytest.mark.parametrize("name", ["Longtrail", "code", "data", CHROMIUM])
def test_another_version_is_named(name: str) -> None:
    reason = refusal("10.0.0.7", HERE, {**HERE, name: "other"})
    assert reason == f"node 10.0.0.7: {name} is other there and {HERE[name]} here; all must be alike"


def test_this_machine_is_like_itself_and_unlike_one_without_a_browser() -> None:
    here = {**versions(), CHROMIUM: chromium()}
    assert {"litellm", "playwright", "tokenizer"} <= here.keys(), "packages that change results are compared"
    assert here[CHROMIUM]
    assert refusal("here", here, {**versions(), CHROMIUM: chromium()}) == ""
    assert "no Chromium was found there" in refusal("here", here, {**here, CHROMIUM: ""})


TEST = "benchmark_tests/test_pathways.py::test_funnel"


def played(tmp_path: Path, *tests: str) -> list[dict[str, Any]]:
    run = create(tmp_path / "runs" / "mine", Options(contenders=(Contender(agent="oracle"),), reports=tmp_path))
    run.close()
    words = (str(ROOT), str(tmp_path), str(run.folder / "run.json"), *tests)
    done = process(sys.executable, "-m", "tests.pytest_plugin.remote.play_units", *words)
    assert done.code == 0, done.said[-3000:]
    return [json.loads(line) for line in done.out.splitlines()]


@pytest.mark.thorough
def test_units_are_played_and_sent(tmp_path: Path) -> None:
    """Test ids may begin with other folders on a worker; its messages have the controller's ids."""
    first, second = f"elsewhere/{TEST}[pw-020-raw-r0]", f"{TEST}[pw-022-raw-r0]"
    messages = [
        message for message in played(tmp_path, first, second) if message["kind"] != "progress" or message["files"]
    ]
    steps = [(message["kind"], message["test"]) for message in messages if message["kind"] in ("began", "finished")]
    assert steps == [("began", first), ("finished", first), ("began", second), ("finished", second)]
    finished = [message for message in messages if message["kind"] == "finished"]
    for message, case in zip(finished, ("pw-020-raw-r0", "pw-022-raw-r0"), strict=True):
        assert {f"episodes/{case}.a0.json", f"results/{case}.a0.json", f"traces/{case}.html"} <= set(message["files"])
        assert all(case in file for file in message["files"]), "nothing of another case"
        assert {nodeid for nodeid, _, _ in message["reports"]} == {message["test"]}
        assert {"setup", "call", "teardown"} <= {when for _, when, _ in message["reports"]}
        assert {outcome for _, _, outcome in message["reports"]} == {"passed"}
    assert messages[-1]["files"] == ["workers/far7.json"], "the browser is closed before the worker is"


@pytest.mark.slow
def test_a_test_that_is_not_there_ends_the_run_in_one_line(tmp_path: Path) -> None:
    stopped = played(tmp_path, f"{TEST}[no-such-case]", f"{TEST}[pw-022-raw-r0]")[:2]
    assert [message["kind"] for message in stopped] == ["stopped", "stopped"]
    assert stopped[0]["reason"] == f"worker far7 ended: {TEST}[no-such-case] is not among its tests"


def test_files_with_the_same_name_are_told_apart_by_their_folders() -> None:
    here = ["evals/a/test_it.py::test[x]", "evals/b/test_it.py::test[x]", "evals/b/test_it.py::test[y]"]
    assert local_id("evals/b/test_it.py::test[x]", here) == here[1]
    assert local_id("/home/me/site-packages/a/test_it.py::test[x]", here) == here[0]
    assert local_id("other/test_it.py::test[y]", here) == here[2]
    with pytest.raises(LookupError, match="may be any of evals/a"):
        local_id("c/test_it.py::test[x]", here)
    with pytest.raises(LookupError, match="is not among its tests"):
        local_id("evals/a/test_it.py::test[z]", here)


@pytest.fixture
def there(tmp_path: Path) -> Path:
    folder = tmp_path / "there"
    for part in ("episodes", "results", "shots", "running", "calls"):
        (folder / part).mkdir(parents=True)
    return folder


def test_each_file_is_handed_out_once(there: Path) -> None:
    outbox = Outbox(there)
    (there / "shots" / "one.webp").write_bytes(b"1")
    (there / "running" / "case.json").write_bytes(b"{}")
    assert outbox.progress_files() == {"shots/one.webp": b"1", "running/case.json": b"{}"}
    assert outbox.progress_files() == {}
    assert (there / "shots" / "one.webp").exists(), "the trace page looks for it"
    (there / "shots" / "two.webp").write_bytes(b"2")
    (there / "episodes" / "case.a0.json").write_bytes(b"e")
    (there / "episodes" / ".case.a1.json.tmp").write_bytes(b"half")
    assert outbox.all() == {"shots/two.webp": b"2", "episodes/case.a0.json": b"e"}
    assert outbox.all() == {}
    (there / "shots" / "one.webp").write_bytes(b"1")
    assert outbox.all() == {"shots/one.webp": b"1"}, "a later case shows it again"


def test_files_are_put_into_the_run(there: Path, tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    put(here, {"episodes/case.a0.json": b"e", "results/case.a0.json": b"r", "running/case.json": b"{}"})
    run = Run(here)
    assert attempts_of(run, "case") == {"episodes/case.a0.json": b"e", "results/case.a0.json": b"r"}
    put(here, {"episodes/case.a1.json": b"f", "shots/x.webp": b"s"})
    assert set(attempts_of(run, "case")) == {
        f"{part}.json" for part in ("episodes/case.a0", "results/case.a0", "episodes/case.a1")
    }
    assert attempts_of(run, "another") == {}
    no_longer_under_way(here, "case")
    assert not list((here / "running").iterdir())


@pytest.mark.parametrize(
    "name", ["../evil", "run.json", "episodes/../../evil", "/etc/evil", "stop", "episodes/.x", "other/x", "shots/a/b"]
)
def test_nothing_leads_out_of_the_run(tmp_path: Path, name: str) -> None:
    here = tmp_path / "here"
    here.mkdir()
    with pytest.raises(HarnessTrouble, match="which is no part of a run"):
        put(here, {"episodes/case.a0.json": b"e", name: b"evil"})
    assert not list(tmp_path.rglob("*.json"))


def test_records_of_earlier_attempts_stay_for_all_tests_of_a_unit(there: Path) -> None:
    """A test of the unit that ends must not take the record of the next one along, which would be played again."""
    outbox = Outbox(there)
    outbox.put_earlier({"episodes/short.a0.json": b"s", "episodes/long.a0.json": b"l"})
    (there / "episodes" / "short.a1.json").write_bytes(b"again")
    assert outbox.all() == {"episodes/short.a1.json": b"again"}
    assert (there / "episodes" / "long.a0.json").read_bytes() == b"l"
    outbox.put_earlier({"episodes/other.a0.json": b"o"})
    assert [path.name for path in (there / "episodes").iterdir()] == ["other.a0.json"]


def test_an_earlier_record_that_was_damaged_is_replaced(there: Path) -> None:
    """Its case is played again under the same number: the new record belongs to the run."""
    outbox = Outbox(there)
    outbox.put_earlier({"episodes/case.a0.json": b"damaged"})
    assert outbox.all() == {}
    (there / "episodes" / "case.a0.json").write_bytes(b"new")
    assert outbox.all() == {"episodes/case.a0.json": b"new"}


@pytest.mark.thorough
def test_a_worker_that_begins_no_test_is_replaced(tmp_path: Path) -> None:
    """And a run in which workers are only lost ends by itself."""
    words = ("-q", "--task", "PW-025", "-m", "raw and not appeal", "--no-shots", "-p", "no:html", "--run", "silent")
    done = run_pytest("-p", "tests.pytest_plugin.remote.silent_engine", *words, f"--reports={tmp_path}")
    assert "given up: it began no test for 0 seconds" in done.out, done.said
    assert done.code == 4
    assert "12 workers ended one after the other" in done.out
    assert Run.open(tmp_path / "runs" / "silent").missing() == ("pw-025-raw-r0",)
